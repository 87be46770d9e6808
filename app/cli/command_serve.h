#pragma once

#include "app/cli/command.h"

namespace topicscope::cli
{

/// "serve": the embedded broker in the foreground, until SIGTERM or Ctrl-C.
Command serveCommand();

} // namespace topicscope::cli
