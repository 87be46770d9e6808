#pragma once

#include "app/cli/command.h"

namespace topicscope::cli
{

/// "conformance": the client's side of booblik's conformance kit: fixed verbs, key=value output.
Command conformanceCommand();

} // namespace topicscope::cli
