#include "ui/models/recordcopy.h"

#include "core/base/bytewriter.h"
#include "core/records/payloadformat.h"
#include "ui/models/recordtext.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <numeric>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// A string where it stands for the bytes, else an object that says how they are written: readers
/// drop a byte order mark, so it is not left to them.
QJsonValue jsonBytes(std::span<const std::byte> bytes)
{
    const QByteArray copied = toByteArray(bytes);
    if (const QString text = QString::fromUtf8(copied); text.toUtf8() == copied)
        return text;
    return QJsonObject{{u"encoding"_s, u"base64"_s},
                       {u"data"_s, QString::fromLatin1(copied.toBase64())}};
}

QString jsonRow(const RowRef &row)
{
    QJsonObject object{{u"partition"_s, row.block->partition.value},
                       {u"offset"_s, row.offset().value}};
    if (!row.record) {
        object[u"note"_s] = rowNote(row);
    } else {
        const RecordChunk &chunk = *row.block->chunk;
        const Record &record = *row.record;
        object[u"topic"_s] = chunk.partition().topic;
        object[u"size"_s] = qint64(record.valueSize);
        if (const auto stored = chunk.storedCrc(record)) {
            object[u"crc32c"_s] = u"%1"_s.arg(*stored, 8, 16, QChar(u'0'));
            object[u"verified"_s] = record.flags.testFlag(RecordFlag::ChecksumVerified);
        }
        if (record.flags & RecordFlag::HasKey)
            object[u"key"_s] = jsonBytes(chunk.key(record));
        if (record.flags & RecordFlag::HasTimestamp)
            object[u"timestamp"_s] = record.timestampMs;
        object[u"value"_s] = record.flags & RecordFlag::NullValue ? QJsonValue(QJsonValue::Null)
                                                                  : jsonBytes(chunk.value(record));
    }
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

} // namespace

QString rowsAsText(const std::vector<RowRef> &rows, CopyFormat format)
{
    QString text;
    for (const RowRef &row : rows) {
        if (!text.isEmpty())
            text += u'\n';
        if (format == CopyFormat::Json) {
            text += jsonRow(row);
            continue;
        }
        if (!row.record)
            continue;
        const auto value = row.block->chunk->value(*row.record);
        text += format == CopyFormat::Hex ? hexString(value) : utf8Text(value);
    }
    return text;
}

qint64 valueBytes(const std::vector<RowRef> &rows)
{
    return std::accumulate(rows.begin(), rows.end(), qint64(0), [](qint64 sum, const RowRef &row) {
        return sum + (row.record ? qint64(row.record->valueSize) : 0);
    });
}

} // namespace topicscope::ui
