#pragma once

#include "app/cli/command.h"

namespace topicscope::cli
{

/// "groups": consumer groups, and how far one is behind.
Command groupsCommand();

} // namespace topicscope::cli
