#pragma once

#include "app/cli/command.h"

namespace topicscope::cli
{

/// "fetch": records of partitions, once.
Command fetchCommand();

} // namespace topicscope::cli
