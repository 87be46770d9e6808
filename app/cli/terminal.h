#pragma once

#include "core/base/result.h"

#include <optional>

namespace topicscope::cli
{

/// Asks for a line on the terminal without showing it. nullopt where there is no terminal.
/// @error Cancelled by Ctrl-C.
Result<std::optional<QString>> askHidden(const QString &question);

} // namespace topicscope::cli
