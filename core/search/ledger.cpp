#include "core/search/ledger.h"

#include "core/base/digits.h"
#include "core/base/saturate.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace topicscope::search
{

using namespace Qt::StringLiterals;

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("Search", text);
}

bool isOpen(Coverage coverage)
{
    return coverage == Coverage::Pending || coverage == Coverage::Failed;
}

QString counted(qint64 number, const QString &one, const QString &many)
{
    return number == 1 ? one : many.arg(groupedDigits(number));
}

} // namespace

bool isOutside(Coverage coverage)
{
    return coverage == Coverage::BelowLogStart || coverage == Coverage::BehindEnd ||
           coverage == Coverage::NotExported;
}

QString coverageName(Coverage coverage)
{
    switch (coverage) {
    case Coverage::Pending:
        return u"pending"_s;
    case Coverage::Scanned:
        return u"scanned"_s;
    case Coverage::Undecided:
        return u"undecided"_s;
    case Coverage::TooLarge:
        return u"too-large"_s;
    case Coverage::DamagedSize:
        return u"damaged-size"_s;
    case Coverage::Missing:
        return u"missing"_s;
    case Coverage::Unreadable:
        return u"unreadable"_s;
    case Coverage::BelowLogStart:
        return u"below-log-start"_s;
    case Coverage::BehindEnd:
        return u"behind-end"_s;
    case Coverage::NotExported:
        return u"not-exported"_s;
    case Coverage::LeftOut:
        return u"left-out"_s;
    case Coverage::NotCommitted:
        return u"not-committed"_s;
    case Coverage::Failed:
        return u"failed"_s;
    case Coverage::Mixed:
        break;
    }
    return u"mixed"_s;
}

QString coverageText(Coverage coverage)
{
    switch (coverage) {
    case Coverage::Pending:
        return tr("not reached");
    case Coverage::Scanned:
        return tr("searched");
    case Coverage::Undecided:
        return tr("not decided: would have taken too many steps");
    case Coverage::TooLarge:
        return tr("too large to be fetched");
    case Coverage::DamagedSize:
        return tr("damaged log: an impossible record size");
    case Coverage::Missing:
        return tr("damaged log: nothing readable");
    case Coverage::Unreadable:
        return tr("a batch that cannot be read");
    case Coverage::BelowLogStart:
        return tr("removed by retention");
    case Coverage::BehindEnd:
        return tr("behind the end of the log");
    case Coverage::NotExported:
        return tr("not in this file");
    case Coverage::LeftOut:
        return tr("left out: not committed");
    case Coverage::NotCommitted:
        return tr("held back by an open transaction");
    case Coverage::Failed:
        return tr("failed");
    case Coverage::Mixed:
        break;
    }
    return tr("searched in part, too much in between to list");
}

PartitionLedger::PartitionLedger(TopicPartition partition, Offset first, Offset end,
                                 Offset logStart, Offset logEnd)
    : m_partition(std::move(partition))
    , m_begin(std::max(first, Offset{0})) // there are no others, and no difference overflows
    , m_end(m_begin)
{
    end = std::max(m_begin, end);
    append(std::min(end, logStart), Coverage::BelowLogStart);
    append(std::min(end, logEnd), Coverage::Pending);
    append(end, Coverage::BehindEnd);
}

PartitionLedger::PartitionLedger(TopicPartition partition, const Error &error)
    : m_partition(std::move(partition))
    , m_error(error)
{
}

void PartitionLedger::append(Offset end, Coverage coverage)
{
    if (end <= m_end)
        return;
    m_ranges.push_back({m_end, end, coverage});
    m_offsets[size_t(coverage)] += end - m_end;
    m_end = end;
}

std::optional<LedgerRange> PartitionLedger::pending() const
{
    const auto found = std::ranges::find(m_ranges, Coverage::Pending, &LedgerRange::coverage);
    return found == m_ranges.end() ? std::nullopt : std::optional(*found);
}

void PartitionLedger::advance(Offset to, Coverage coverage, const QString &reason)
{
    auto at = std::ranges::find(m_ranges, Coverage::Pending, &LedgerRange::coverage);
    if (at == m_ranges.end() || to <= at->first)
        return;
    to = std::min(to, at->end);
    m_offsets[size_t(Coverage::Pending)] -= to - at->first;
    m_offsets[size_t(coverage)] += to - at->first;

    LedgerRange done{at->first, to, coverage, reason};
    at->first = to;
    if (at->first == at->end)
        at = m_ranges.erase(at);
    LedgerRange *const before = at == m_ranges.begin() ? nullptr : &*std::prev(at);
    if (before && before->coverage == coverage && before->reason == reason) {
        before->end = to;
    } else if (before && m_ranges.size() >= kMaxRanges && !isOpen(before->coverage) &&
               !isOpen(coverage)) {
        before->end = to;
        before->coverage = Coverage::Mixed;
        before->reason.clear();
    } else {
        m_ranges.insert(at, std::move(done));
    }
}

void PartitionLedger::fail(const Error &error)
{
    m_error = error;
    for (LedgerRange &range : m_ranges) {
        if (range.coverage == Coverage::Pending)
            range.coverage = Coverage::Failed;
    }
    m_offsets[size_t(Coverage::Failed)] += std::exchange(m_offsets[size_t(Coverage::Pending)], 0);
}

void PartitionLedger::reopen()
{
    if (m_ranges.empty())
        return;
    m_error.reset();
    for (LedgerRange &range : m_ranges) {
        if (range.coverage == Coverage::Failed)
            range.coverage = Coverage::Pending;
    }
    m_offsets[size_t(Coverage::Pending)] += std::exchange(m_offsets[size_t(Coverage::Failed)], 0);
}

LedgerTotals totalsOf(const Ledger &ledger)
{
    LedgerTotals totals;
    for (const PartitionLedger &partition : ledger) {
        ++totals.partitions;
        totals.unknown += partition.error() && partition.ranges().empty() ? 1 : 0;
        qint64 inside = partition.size();
        totals.records += partition.records;
        totals.bytes += partition.bytes;
        totals.hits += partition.hits;
        for (size_t i = 0; i < kCoverages; ++i) {
            const qint64 offsets = partition.offsets(Coverage(i));
            totals.by[i] = saturatingSum(totals.by[i], offsets);
            inside -= isOutside(Coverage(i)) ? offsets : 0;
        }
        totals.offsets = saturatingSum(totals.offsets, inside);
    }
    return totals;
}

QString outcomeText(const Ledger &ledger)
{
    const LedgerTotals totals = totalsOf(ledger);
    const QString hits =
        totals.hits == 0 ? tr("No hits") : counted(totals.hits, tr("1 hit"), tr("%1 hits"));
    const QString where = counted(totals.partitions, tr("1 partition"), tr("%1 partitions"));
    const qint64 leftOut = totals.of(Coverage::LeftOut);
    QString text;
    if (totals.isComplete() && leftOut > 0) {
        text = tr("%1: %2 of %3 offsets of %4 were searched.")
                   .arg(hits, groupedDigits(totals.of(Coverage::Scanned)),
                        groupedDigits(totals.offsets), where);
    } else if (totals.isComplete()) {
        const QString all = counted(totals.of(Coverage::Scanned), tr("the one offset of %1 was"),
                                    tr("all %1 offsets of %2 were"));
        text = tr("%1: %2 searched.").arg(hits, all.arg(where));
    } else {
        text = tr("%1 in what was searched: %2 of %3 offsets of %4.")
                   .arg(hits, groupedDigits(totals.of(Coverage::Scanned)),
                        groupedDigits(totals.offsets), where);
    }
    QStringList missed;
    QStringList outside;
    for (size_t i = 0; i < kCoverages; ++i) {
        if (totals.by[i] > 0 && Coverage(i) != Coverage::Scanned &&
            Coverage(i) != Coverage::LeftOut) {
            (isOutside(Coverage(i)) ? outside : missed) +=
                u"%1 (%2)"_s.arg(groupedDigits(totals.by[i]), coverageText(Coverage(i)));
        }
    }
    if (!missed.isEmpty())
        text += u' ' + tr("Not searched: %1.").arg(missed.join(u"; "_s));
    if (leftOut > 0)
        text += u' ' + tr("Left out as not committed: %1.").arg(groupedDigits(leftOut));
    if (!outside.isEmpty())
        text += u' ' + tr("Not there: %1.").arg(outside.join(u"; "_s));
    if (totals.unknown > 0) {
        text += u' ' + counted(totals.unknown, tr("1 partition could not be asked at all."),
                               tr("%1 partitions could not be asked at all."));
    }
    return text;
}

QString rangeText(const LedgerRange &range)
{
    const QString where =
        range.size() == 1 ? tr("offset %1").arg(range.first.value)
                          : tr("offsets %1 to %2").arg(range.first.value).arg(range.end.value - 1);
    const QString text = u"%1: %2"_s.arg(where, coverageText(range.coverage));
    return range.reason.isEmpty() ? text : u"%1 (%2)"_s.arg(text, range.reason);
}

} // namespace topicscope::search
