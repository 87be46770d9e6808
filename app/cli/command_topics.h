#pragma once

#include "app/cli/command.h"

namespace topicscope::cli
{

/// "topics": what topics the broker has.
Command topicsCommand();

} // namespace topicscope::cli
