#pragma once

#include "app/cli/command.h"

namespace topicscope::cli
{

/// "export": records of partitions, once.
Command exportCommand();

} // namespace topicscope::cli
