#pragma once

#include "app/cli/command.h"

namespace topicscope::cli
{

/// "partitions": the offset ranges of partitions.
Command partitionsCommand();

} // namespace topicscope::cli
