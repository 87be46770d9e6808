#include "core/records/recordcodec.h"

#include <cstdint>
#include <cstdlib>

using namespace topicscope;

// Whatever the bytes: no record reaches beyond them, what was consumed is whole records only, and
// the consumed part alone decodes to the same records.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const auto decoded = decodeRecords({}, bytes, 0, Offset{0});
    if (!decoded)
        std::abort(); // keeping going never fails
    if (decoded->consumedBytes > bytes.size())
        std::abort();
    qint64 sum = 0;
    for (const Record &record : decoded->chunk->records())
        sum += qint64(decoded->chunk->frame(record).size());
    if (sum != decoded->consumedBytes)
        std::abort();
    const auto again = decodeRecords({}, bytes.first(decoded->consumedBytes), 0, Offset{0});
    if (!again || again->end != PayloadEnd::Clean ||
        again->chunk->records().size() != decoded->chunk->records().size())
        std::abort();
    return 0;
}
