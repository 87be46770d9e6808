#include "core/transfer/exportnote.h"

#include <algorithm>
#include <array>

namespace topicscope::transfer
{

using namespace Qt::StringLiterals;

namespace
{

struct KindRow {
    ExportNote::Kind kind;
    QLatin1StringView name;
    bool isFinding;
};

constexpr std::array<KindRow, 8> kKinds{{
    {ExportNote::Kind::Gap, QLatin1StringView("gap"), false},
    {ExportNote::Kind::Aborted, QLatin1StringView("aborted"), false},
    {ExportNote::Kind::NotCommitted, QLatin1StringView("not-committed"), false},
    {ExportNote::Kind::Unreadable, QLatin1StringView("unreadable"), true},
    {ExportNote::Kind::TooLarge, QLatin1StringView("too-large"), true},
    {ExportNote::Kind::DamagedSize, QLatin1StringView("damaged-size"), true},
    {ExportNote::Kind::Missing, QLatin1StringView("missing"), true},
    {ExportNote::Kind::Filtered, QLatin1StringView("filtered"), false},
}};

const KindRow &rowOf(ExportNote::Kind kind)
{
    return *std::ranges::find(kKinds, kind, &KindRow::kind);
}

} // namespace

bool ExportNote::isFinding() const
{
    return rowOf(kind).isFinding;
}

ExportNote ExportNote::of(const OffsetGap &gap)
{
    ExportNote note{Kind::Unreadable, gap.first, gap.end, gap.reason};
    switch (gap.kind) {
    case OffsetGap::Kind::NoRecords:
        note.kind = Kind::Gap;
        note.text = u"no records (compacted, deleted, or control records)"_s;
        break;
    case OffsetGap::Kind::Aborted:
        note.kind = Kind::Aborted;
        note.text = u"records of aborted transactions"_s;
        break;
    case OffsetGap::Kind::NotCommitted:
        note.kind = Kind::NotCommitted;
        note.text = u"no committed records"_s;
        break;
    case OffsetGap::Kind::NotExported:
        note.kind = Kind::Filtered;
        break;
    case OffsetGap::Kind::Unreadable:
        break;
    }
    return note;
}

QString noteName(ExportNote::Kind kind)
{
    return rowOf(kind).name;
}

std::optional<ExportNote::Kind> noteNamed(const QString &name)
{
    const auto *const row = std::ranges::find(kKinds, name, &KindRow::name);
    return row == kKinds.end() ? std::nullopt : std::optional(row->kind);
}

} // namespace topicscope::transfer
