#pragma once

#include "core/base/result.h"

#include <QFileDevice>

namespace topicscope::transfer
{

/// Keeps the file for whoever has it open so, in this program and in others, until it is closed.
/// Does not wait. @error Busy: somebody else has it; Io.
Result<void> lockFile(const QFileDevice &file);

} // namespace topicscope::transfer
