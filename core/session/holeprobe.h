#pragma once

#include "core/base/ids.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace topicscope
{

/// Finds where a log becomes readable again behind an unreadable offset: steps that double, then
/// halving between the last bad and the first good offset. About 2 log2(n) tries for a hole of n.
/// Thread: any (pure).
class HoleProbe
{
public:
    /// @param first  unreadable  @param bound  there is nothing to find from here on
    HoleProbe(Offset first, Offset bound)
        : m_first(first)
        , m_bad(first)
        , m_good(bound)
    {
    }

    Offset first() const { return m_first; }
    /// The offset to try next; nullopt when the end of the hole is known.
    std::optional<Offset> next() const
    {
        if (m_good - m_bad <= 1)
            return std::nullopt;
        if (m_foundGood)
            return m_bad + (m_good - m_bad) / 2;
        return m_bad + std::min(m_step, m_good - m_bad - 1);
    }
    /// First readable offset behind the hole, or the bound. Only when next() has no more to try.
    Offset end() const { return m_good; }

    void tell(Offset tried, bool readable)
    {
        if (readable) {
            m_good = tried;
            m_foundGood = true;
        } else {
            m_bad = tried;
            m_step = m_step > std::numeric_limits<qint64>::max() / 2 ? m_step : m_step * 2;
        }
    }

private:
    Offset m_first;
    Offset m_bad;
    Offset m_good; ///< or the bound
    bool m_foundGood = false;
    qint64 m_step = 1;
};

} // namespace topicscope
