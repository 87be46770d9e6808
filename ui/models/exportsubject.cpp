#include "ui/models/exportsubject.h"

#include "core/base/saturate.h"

#include <algorithm>

namespace topicscope::ui
{

OffsetSpans spansOf(const std::vector<RowRef> &rows, const QString &topic)
{
    OffsetSpans all;
    for (const RowRef &row : rows) {
        const OffsetSpan span{row.offset(), row.record ? row.offset() + 1 : row.block->end};
        all[{topic, row.block->partition}].push_back(span);
    }
    for (auto &[partition, spans] : all) {
        std::ranges::sort(spans, {}, &OffsetSpan::first);
        std::vector<OffsetSpan> joined;
        for (const OffsetSpan &span : spans) {
            if (!joined.empty() && span.first <= joined.back().end)
                joined.back().end = std::max(joined.back().end, span.end);
            else
                joined.push_back(span);
        }
        spans = std::move(joined);
    }
    return all;
}

qint64 offsetsIn(const OffsetSpans &spans)
{
    qint64 offsets = 0;
    for (const auto &[partition, list] : spans) {
        for (const OffsetSpan &span : list)
            offsets = saturatingSum(offsets, span.end - span.first);
    }
    return offsets;
}

} // namespace topicscope::ui
