#include "core/records/msgpacktext.h"
#include "tests/fuzz/structured.h"

using namespace topicscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    fuzzStructured({data, size},
                   [](auto bytes, const TextShape &shape) { return msgpackText(bytes, shape); });
    return 0;
}
