#include "core/session/groups.h"

#include "core/session/topicinfo.h"

#include <limits>

namespace topicscope
{

using namespace Qt::StringLiterals;

QString groupStateName(GroupState state)
{
    switch (state) {
    case GroupState::Unknown:
        return u"Unknown"_s;
    case GroupState::PreparingRebalance:
        return u"PreparingRebalance"_s;
    case GroupState::CompletingRebalance:
        return u"CompletingRebalance"_s;
    case GroupState::Assigning:
        return u"Assigning"_s;
    case GroupState::Reconciling:
        return u"Reconciling"_s;
    case GroupState::Stable:
        return u"Stable"_s;
    case GroupState::Empty:
        return u"Empty"_s;
    case GroupState::Dead:
        return u"Dead"_s;
    }
    return {};
}

Error noGroups(const QString &endpoint)
{
    return Error::make(ErrorKind::Unsupported, u"this broker keeps no consumer groups"_s,
                       {{}, {}, {}, endpoint, {}});
}

std::optional<qint64> GroupOffset::lag() const
{
    if (!committed || !end)
        return std::nullopt;
    return lagOf(*committed, *end);
}

std::optional<qint64> GroupInfo::totalLag() const
{
    std::optional<qint64> total;
    for (const GroupOffset &offset : offsets) {
        if (const auto lag = offset.lag()) {
            // A broker may claim anything.
            constexpr qint64 kMost = std::numeric_limits<qint64>::max();
            const qint64 sum = total.value_or(0);
            total = *lag > kMost - sum ? kMost : sum + *lag;
        }
    }
    return total;
}

} // namespace topicscope
