#pragma once

#include "core/base/error.h"

namespace topicscope::transfer
{

/// About this file.
inline Error fileError(ErrorKind kind, const QString &path, const QString &why)
{
    return Error::make(kind, why, {{}, {}, {}, path, {}});
}

} // namespace topicscope::transfer
