#pragma once

#include "app/cli/commandline.h"
#include "core/session/sessionconfig.h"

namespace topicscope::cli
{

/// "publish TOPIC --input FILE". Returns an ExitCode.
int publishFile(const CommandLine &line, const SessionConfig &config);

} // namespace topicscope::cli
