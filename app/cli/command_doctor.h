#pragma once

#include "app/cli/command.h"

namespace topicscope::cli
{

Command doctorCommand();

} // namespace topicscope::cli
