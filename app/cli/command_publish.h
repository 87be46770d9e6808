#pragma once

#include "app/cli/command.h"

namespace topicscope::cli
{

/// "publish": one record, once.
Command publishCommand();

} // namespace topicscope::cli
