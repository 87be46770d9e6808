#pragma once

#include "core/records/headers.h"
#include "core/records/payloadformat.h"

#include <QList>
#include <QString>

#include <memory>
#include <stop_token>

namespace topicscope
{

enum class PayloadPart { Key, Value };

/// What a format may need to know beside the bytes.
struct PayloadContext {
    QString topic;
    PayloadPart part = PayloadPart::Value;
    HeaderList headers; ///< of the record; empty where the caller has none at hand
    /// layOut() ends early when it is asked to, with a text nobody wants.
    std::stop_token stop = {};
};

class PayloadCodec;

/// The format some bytes are taken for, and why: "valid JSON", "4 bytes, not text".
struct DetectedFormat {
    const PayloadCodec *format = nullptr; ///< never null
    QString why = {};
};

/// Bytes as text in one format.
struct DecodedPayload {
    QString text; ///< always something to show
    QString
        problem; ///< why the bytes are none of the format, e.g. "3 bytes, not 4"; empty: they are
    std::optional<qint64> byte = {}; ///< where the problem is, when that is known
    bool cut = false;                ///< the text ends with '…': more would have followed
    /// With a problem: it is none of the bytes', the schema they need is not there (yet).
    bool lacksSchema = false;
    /// By automatic() alone: what it took the bytes for.
    const PayloadCodec *chosen = nullptr;
    /// Why it did ("valid JSON"); of registered schemas which it is ("schema 7: shop.Order
    /// (Avro)").
    QString why = {};
};

/// One way to write a key or a value as text: a deserializer, and where writes() says so a
/// serializer as well. Null has no bytes, so it is never asked for here. Thread: any.
class PayloadCodec
{
public:
    virtual ~PayloadCodec() = default;

    /// All that need no configuration, in the order to offer them: text and its other encodings,
    /// JSON, hex, base64, CBOR, MessagePack, Protobuf without a schema, integers, floating point,
    /// UUID. They live as long as the program. Those with a schema: core/decode.
    static const QList<const PayloadCodec *> &all();
    /// What the bytes seem to be, each time anew: named "auto". Not among all().
    static const PayloadCodec *automatic();
    /// Of all() or automatic(); nullptr when there is none of that name.
    static const PayloadCodec *byName(const QString &name);
    /// The same beside those that end with their last user; null when there is none.
    static std::shared_ptr<const PayloadCodec> sharedByName(const QString &name);

    /// Stable, for settings and the CLI: "text", "latin1", "utf16le", "utf16be", "json", "hex",
    /// "base64", "cbor", "msgpack", "protobuf-raw", "int8" … "uint64-le", "float-be", "double-le",
    /// "uuid".
    virtual QString name() const = 0;
    /// For people: "text", "JSON", "signed 32 bit, big-endian".
    virtual QString title() const = 0;
    /// The one that shows these bytes: itself, but for those that choose, such as automatic().
    /// Looks at no more than 64 KiB.
    virtual DetectedFormat chosenFor(std::span<const std::byte> /*bytes*/) const { return {this}; }
    /// How many bytes it always takes; 0: as many as there are.
    virtual qsizetype fixedBytes() const { return 0; }

    /// Whether encode() can do anything at all.
    virtual bool writes() const { return true; }
    /// @error InvalidArgument: why in `detail`; where.byte is the position in `text` (UTF-16
    /// units) of what is wrong, where that is known.
    virtual Result<QByteArray> encode(const QString &text, const PayloadContext &context) const = 0;

    /// On one line, for a table cell. Never fails: bytes that are none of the format come as hex,
    /// with the reason; malformed text and JSON are drawn as previewText() does. Ends with '…' at
    /// `maxChars`, which bounds what it costs, too; what lies behind is not judged. Numbers and
    /// UUIDs are whole, and give the same bytes when they are encoded again, NaNs excepted.
    virtual DecodedPayload decode(std::span<const std::byte> bytes, const PayloadContext &context,
                                  qsizetype maxChars = kPreviewBytes) const = 0;
    /// The same for reading, over several lines where the format has structure. Far more text than
    /// bytes may come of it, up to `maxChars`; for large payloads off the GUI thread.
    virtual DecodedPayload layOut(std::span<const std::byte> bytes, const PayloadContext &context,
                                  qsizetype maxChars = kMaxLaidOutChars) const
    {
        return decode(bytes, context, maxChars);
    }

    static constexpr qsizetype kMaxLaidOutChars = qsizetype{16} * 1024 * 1024;

protected:
    PayloadCodec() = default;
    Q_DISABLE_COPY_MOVE(PayloadCodec)
};

} // namespace topicscope
