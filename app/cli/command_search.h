#pragma once

#include "app/cli/command.h"

namespace topicscope::cli
{

/// "search": records that match an expression, and an account of what was looked at.
Command searchCommand();

} // namespace topicscope::cli
