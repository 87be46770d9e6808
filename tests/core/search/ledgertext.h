#pragma once

#include "core/search/ledger.h"

#include <QStringList>

namespace topicscope::search
{

using Place = std::pair<qint32, qint64>; ///< partition, offset

/// "0..5 scanned, 5..6 too-large", the ranges of one partition.
inline QString told(const PartitionLedger &ledger)
{
    QStringList all;
    for (const LedgerRange &range : ledger.ranges())
        all += QStringLiteral("%1..%2 %3")
                   .arg(range.first.value)
                   .arg(range.end.value)
                   .arg(coverageName(range.coverage));
    return all.join(QStringLiteral(", "));
}

/// Ranges tile the whole, and the counts are theirs.
inline bool isTiled(const PartitionLedger &ledger)
{
    Offset next = ledger.begin();
    for (const LedgerRange &range : ledger.ranges()) {
        if (range.first != next || range.end <= range.first)
            return false;
        next = range.end;
    }
    qint64 offsets = 0;
    for (size_t i = 0; i < kCoverages; ++i)
        offsets += ledger.offsets(Coverage(i));
    return next == ledger.end() && offsets == ledger.size();
}

} // namespace topicscope::search
