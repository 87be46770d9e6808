#include "core/kafka/kafkagaps.h"

#include <algorithm>

namespace topicscope::kafka
{

namespace
{

using Kind = OffsetGap::Kind;

/// Adds [first, end), to the last one where both go together.
void add(std::vector<OffsetGap> &gaps, Offset first, Offset end, Kind kind)
{
    if (first >= end)
        return;
    if (!gaps.empty() && gaps.back().end == first && gaps.back().kind == kind)
        gaps.back().end = end;
    else
        gaps.push_back({first, end, kind, {}});
}

/// What stands at the offsets from..to, as far as it was read.
std::vector<OffsetGap> look(const TopicPartition &partition, Offset from, Offset to,
                            const FetchEverything &everything)
{
    std::vector<OffsetGap> found;
    qint64 left = kLookBytes;
    while (from < to && left > 0) {
        FetchRequest request;
        request.partition = partition;
        request.offset = from;
        const auto page = everything(request);
        if (!page || page->nextOffset <= from)
            break;
        forEachRow(
            *page,
            [&](const Record &record) {
                add(found, record.offset, record.offset + 1, Kind::Aborted);
                return true;
            },
            [&](const OffsetGap &gap) {
                if (gap.kind == Kind::NoRecords)
                    add(found, gap.first, gap.end, Kind::NoRecords);
                return true;
            });
        from = page->nextOffset;
        left -= std::max<qint64>(page->chunk->heldBytes(), 1);
    }
    return found;
}

} // namespace

void nameGaps(FetchResult &committed, const FetchEverything &everything)
{
    const auto unnamed = [](const OffsetGap &gap) { return gap.kind == Kind::NotCommitted; };
    const auto first = std::ranges::find_if(committed.gaps, unnamed);
    if (first == committed.gaps.end())
        return;
    const auto last = std::find_if(committed.gaps.rbegin(), committed.gaps.rend(), unnamed);
    const auto found = look(committed.partition, first->first, last->end, everything);

    std::vector<OffsetGap> named;
    auto next = found.begin();
    for (OffsetGap &gap : committed.gaps) {
        if (!unnamed(gap)) {
            named.push_back(std::move(gap));
            continue;
        }
        Offset at = gap.first;
        while (next != found.end() && next->end <= at)
            ++next;
        for (auto piece = next; piece != found.end() && piece->first < gap.end; ++piece) {
            add(named, at, std::max(at, piece->first), Kind::NotCommitted);
            add(named, std::max(at, piece->first), std::min(gap.end, piece->end), piece->kind);
            at = std::min(gap.end, piece->end);
        }
        add(named, at, gap.end, Kind::NotCommitted);
    }
    committed.gaps = std::move(named);
}

} // namespace topicscope::kafka
