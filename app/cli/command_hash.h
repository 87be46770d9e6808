#pragma once

#include "app/cli/command.h"

namespace topicscope::cli
{

/// "hash": which partition a key selects, by every partitioner. Needs no broker.
Command hashCommand();

} // namespace topicscope::cli
