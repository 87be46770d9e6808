#pragma once

#include "core/base/ids.h"

#include <QString>

#include <optional>

namespace topicscope::ui
{

/// A place in a partition as it is typed: "1234", "start", "end", "-100".
struct GoToTarget {
    enum class From { Zero, Start, End };
    From from = From::Zero;
    qint64 offset = 0; ///< from Zero: the offset; from End: how many before it

    /// nullopt when it is none of these. Blanks and group separators between digits are ignored.
    static std::optional<GoToTarget> parse(const QString &text);

    Offset resolve(Offset logStart, Offset highWatermark) const
    {
        switch (from) {
        case From::Zero:
            return Offset{offset};
        case From::Start:
            return logStart;
        case From::End:
            return highWatermark + -offset;
        }
        return logStart;
    }
};

} // namespace topicscope::ui
