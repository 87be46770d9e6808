#include "core/decode/avrotext.h"
#include "tests/fuzz/structured.h"

using namespace topicscope;

// The first line is the schema, the rest a datum; without a line feed all is read by a schema that
// has everything in it, itself included.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const AvroSchema everything = *AvroSchema::parse(R"({"type":"record","name":"R",
        "fields":[{"name":"n","type":"null"},{"name":"b","type":"boolean"},{"name":"i","type":"int"},
        {"name":"l","type":{"type":"long","logicalType":"timestamp-micros"}},
        {"name":"f","type":"float"},{"name":"d","type":"double"},
        {"name":"y","type":{"type":"bytes","logicalType":"decimal","scale":3}},
        {"name":"s","type":"string"},{"name":"x","type":{"type":"fixed","name":"F","size":3}},
        {"name":"e","type":{"type":"enum","name":"E","symbols":["A","B"]}},
        {"name":"a","type":{"type":"array","items":"null"}},
        {"name":"m","type":{"type":"map","values":["null","R","string"]}},
        {"name":"r","type":["null","R"]}]})");
    const auto input = std::span(data, size);
    const auto *end = std::find(input.data(), input.data() + size, std::uint8_t('\n'));
    AvroSchema schema = everything;
    std::size_t begin = 0;
    if (end != input.data() + size) {
        begin = std::size_t(end - input.data()) + 1;
        const auto parsed = AvroSchema::parse(
            QByteArray(reinterpret_cast<const char *>(data), qsizetype(begin - 1)));
        if (!parsed)
            return 0;
        schema = *parsed;
    }
    fuzzStructured(input.subspan(begin), [&](auto bytes, const TextShape &shape) {
        return avroText(schema, bytes, shape);
    });
    return 0;
}
