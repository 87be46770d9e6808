#pragma once

#include "core/session/brokersession.h"

// Reads a partition to its end and looks whether the pages add up.

namespace topicscope::test
{

inline CallContext soon()
{
    return CallContext(std::chrono::milliseconds(30'000));
}

inline QByteArray toBytes(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char *>(bytes.data()), qsizetype(bytes.size())};
}

/// A partition as it was read, page by page.
struct ReadAll {
    std::vector<std::pair<qint64, QByteArray>> values; ///< by offset
    std::vector<OffsetGap> gaps;                       ///< neighbours of one kind as one
    qint64 end = 0;                                    ///< first offset not read
    int pages = 0;
};

/// Reads to the end. @error the first, or Protocol when records and gaps of a page do not add up.
inline Result<ReadAll> readAll(BrokerSession &session, FetchRequest request)
{
    ReadAll all;
    all.end = request.offset.value;
    const CallContext context = soon();
    for (;;) {
        const auto page = session.fetch(request, context);
        if (!page)
            return page.error();
        ++all.pages;
        const qint64 begin = all.end;
        bool adjoining = page->fetchOffset == request.offset;
        forEachRow(
            *page,
            [&](const Record &record) {
                adjoining = adjoining && record.offset.value == all.end++;
                all.values.emplace_back(record.offset.value, toBytes(page->chunk->value(record)));
                return true;
            },
            [&](const OffsetGap &gap) {
                adjoining = adjoining && gap.first.value == all.end && gap.first < gap.end;
                all.end = gap.end.value;
                if (!all.gaps.empty() && all.gaps.back().end == gap.first &&
                    all.gaps.back().kind == gap.kind)
                    all.gaps.back().end = gap.end;
                else
                    all.gaps.push_back(gap);
                return true;
            });
        if (!adjoining || page->nextOffset.value != all.end)
            return Error::make(ErrorKind::Protocol, QStringLiteral("offsets do not add up"));
        if (page->end == FetchEnd::CaughtUp)
            return all;
        if (all.end == begin)
            return Error::make(ErrorKind::Protocol, QStringLiteral("a page without progress"));
        request.offset = page->nextOffset;
    }
}

} // namespace topicscope::test
