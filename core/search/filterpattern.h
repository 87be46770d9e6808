#pragma once

#include "core/search/filter.h"
#include "core/search/filterexpression.h"

#include <variant>

namespace topicscope::search
{

/// A regular expression that cannot run away. @return or why not; the column counts from the text's
/// first character, with the slash and the flags behind it.
/// Thread: any (pure).
std::variant<Pattern, SyntaxError> compilePattern(const QString &text, const QString &flags);

/// What matching may cost at most, in steps as Filter counts them.
qint64 patternCost(Bytes bytes);
/// Undecided where looking on would have taken too many steps.
/// Thread: any.
Verdict matchPattern(const Pattern &pattern, Bytes bytes);

} // namespace topicscope::search
