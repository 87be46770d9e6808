#pragma once

#include "app/cli/command.h"

namespace topicscope::cli
{

/// "follow": records as they come, until Ctrl-C.
Command followCommand();

} // namespace topicscope::cli
