#include "core/records/recordcodec.h"
#include "core/search/filter.h"

#include <cstdint>
#include <cstdlib>

using namespace topicscope;
using namespace topicscope::search;

// The input up to its first zero byte is a filter, the rest a record's value. Whatever they are: a
// refusal points into the text; a filter that is printed is the same filter again; and searching a
// whole chunk says the same as looking at each record.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray input(reinterpret_cast<const char *>(data), qsizetype(size));
    const qsizetype zero = input.indexOf('\0');
    const QString text = QString::fromUtf8(zero < 0 ? input : input.first(zero));
    const QByteArray value = zero < 0 ? QByteArray() : input.sliced(zero + 1);

    SyntaxError error{-1, -1, {}};
    const auto filter = Filter::parse(text, 0, &error);
    if (!filter) {
        if (error.column < 0 || error.length < 0 || error.column + error.length > text.size() ||
            error.expected.isEmpty())
            std::abort();
        return 0;
    }
    const QString printed = filter->text();
    if (printed.size() <= kMaxFilterChars) {
        const auto again = Filter::parse(printed, 0);
        if (!again || again->text() != printed)
            std::abort();
    }
    if (value.isEmpty())
        return 0;
    QByteArray stored;
    appendStoredRecord(stored, std::as_bytes(std::span(value.constData(), size_t(value.size()))));
    const auto decoded = decodeRecords({QStringLiteral("t"), PartitionId{0}}, stored, 0, Offset{0});
    const RecordChunk &chunk = *decoded->chunk;
    const Verdict verdict = filter->matches(chunk, chunk.records().front());
    const Filter::Matches matches = filter->matchesIn(chunk);
    if ((verdict == Verdict::Yes) != (matches.hits.size() == 1))
        std::abort();
    return 0;
}
