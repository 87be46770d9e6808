#pragma once

#include "core/search/filter.h"
#include "core/search/filterexpression.h"

#include <variant>

namespace topicscope::search
{

/// Thread: any (pure).
std::variant<Expression, SyntaxError> parseExpression(const QString &text, qint64 nowMs);

} // namespace topicscope::search
