#pragma once

#include "core/records/headers.h"
#include "core/records/payloadformat.h"

#include <QList>
#include <QString>

namespace topicscope
{

enum class PayloadPart { Key, Value };

/// What a format may need to know beside the bytes.
struct PayloadContext {
    QString topic;
    PayloadPart part = PayloadPart::Value;
    HeaderList headers; ///< of the record; empty where the caller has none at hand
};

/// Bytes as text in one format.
struct DecodedPayload {
    QString text; ///< one line, always something to show
    QString
        problem; ///< why the bytes are none of the format, e.g. "3 bytes, not 4"; empty: they are
};

/// One way to write a key or a value as text: both a serializer and a deserializer. Null has no
/// bytes, so it is never asked for here. Stateless; those of all() live as long as the program.
/// Thread: any.
class PayloadCodec
{
public:
    virtual ~PayloadCodec() = default;

    /// All there are, in the order to offer them: text, JSON, hex, base64, integers, floating
    /// point, UUID.
    static const QList<const PayloadCodec *> &all();
    /// nullptr when there is none of that name.
    static const PayloadCodec *byName(const QString &name);

    /// Stable, for settings and the CLI: "text", "json", "hex", "base64", "int8" … "uint64-le",
    /// "float-be", "double-le", "uuid".
    virtual QString name() const = 0;
    /// For people: "text", "JSON", "signed 32 bit, big-endian".
    virtual QString title() const = 0;
    /// How many bytes it always takes; 0: as many as there are.
    virtual qsizetype fixedBytes() const { return 0; }

    /// @error InvalidArgument: why in `detail`; where.byte is the position in `text` (UTF-16
    /// units) of what is wrong, where that is known.
    virtual Result<QByteArray> encode(const QString &text, const PayloadContext &context) const = 0;
    /// Never fails: bytes of the wrong length come as hex, with the reason; malformed text and JSON
    /// are drawn as previewText() does. Text, JSON, hex and base64 end with '…' at `maxChars`,
    /// which bounds what they cost. The others are whole, and give the same bytes when they are
    /// encoded again, NaNs excepted.
    virtual DecodedPayload decode(std::span<const std::byte> bytes, const PayloadContext &context,
                                  qsizetype maxChars = kPreviewBytes) const = 0;

protected:
    PayloadCodec() = default;
    Q_DISABLE_COPY_MOVE(PayloadCodec)
};

} // namespace topicscope
