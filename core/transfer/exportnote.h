#pragma once

#include "core/base/ids.h"
#include "core/session/fetch.h"

#include <QString>

#include <optional>

namespace topicscope::transfer
{

/// Offsets of an exported range that have no record in the file, and why. Thread: a plain value.
struct ExportNote {
    enum class Kind {
        Gap,          ///< compacted away, deleted, or control records
        Aborted,      ///< records of aborted transactions, left out by a committed read
        NotCommitted, ///< one of those two, or behind the last stable offset
        Unreadable,   ///< a batch that is damaged or cannot be unpacked
        TooLarge,     ///< one record above the largest size asked for
        DamagedSize,  ///< one record whose size field is impossible
        Missing,      ///< the broker gave nothing although there should be records
        Filtered,     ///< records that do not match the filter, or were not chosen
    };
    Kind kind = Kind::Gap;
    Offset first;
    Offset end; ///< first offset behind them
    QString text;

    qint64 offsets() const { return end - first; }
    /// Whether something is wrong, not merely absent.
    bool isFinding() const;

    static ExportNote of(const OffsetGap &gap);
    bool operator==(const ExportNote &) const = default;
};

/// Stable name: "gap", "aborted", "not-committed", "unreadable", "too-large", "damaged-size",
/// "missing", "filtered".
QString noteName(ExportNote::Kind kind);
std::optional<ExportNote::Kind> noteNamed(const QString &name);

} // namespace topicscope::transfer
