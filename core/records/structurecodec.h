#pragma once

#include "core/records/payloadcodec.h"
#include "core/records/structurewriter.h"

namespace topicscope
{

/// A format that is shown and not written: one function gives both the cell's line and the layout.
class StructureCodec : public PayloadCodec
{
public:
    bool writes() const override { return false; }
    Result<QByteArray> encode(const QString &text, const PayloadContext &context) const override;
    DecodedPayload decode(std::span<const std::byte> bytes, const PayloadContext &context,
                          qsizetype maxChars) const override;
    /// Bytes that are none of the format come as a hex dump.
    DecodedPayload layOut(std::span<const std::byte> bytes, const PayloadContext &context,
                          qsizetype maxChars) const override;

protected:
    /// @error why in `detail`, which begins with "byte N: " where where.byte is set.
    virtual Result<ShapedText> shaped(std::span<const std::byte> bytes,
                                      const PayloadContext &context,
                                      const TextShape &shape) const = 0;
};

} // namespace topicscope
