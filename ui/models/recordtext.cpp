#include "ui/models/recordtext.h"

#include "core/base/bytewriter.h"
#include "core/base/digits.h"
#include "core/records/headers.h"
#include "core/records/payloadformat.h"
#include "core/records/recordtime.h"
#include "core/records/timestyle.h"

#include <QCoreApplication>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("RecordTable", text);
}

QString crcText(quint32 crc)
{
    return u"%1"_s.arg(crc, 8, 16, QChar(u'0'));
}

QString sizeText(const RowRef &row)
{
    if (row.record)
        return groupedDigits(row.record->valueSize);
    return row.block->kind == RowKind::Oversized && row.block->noteBytes > 0
               ? groupedDigits(row.block->noteBytes)
               : QString();
}

QString checksumText(const RowRef &row)
{
    if (!row.record)
        return row.block->kind == RowKind::Oversized ? tr("not fetched") : QString();
    const RecordChunk &chunk = *row.block->chunk;
    const auto stored = chunk.storedCrc(*row.record);
    if (!stored)
        return tr("none");
    if (row.record->flags & RecordFlag::SizeDamaged)
        return tr("%1, bad size").arg(crcText(*stored));
    if (row.record->flags & RecordFlag::ChecksumMismatch)
        return u"%1 ≠ %2"_s.arg(crcText(*stored), crcText(chunk.computedCrc(*row.record)));
    return crcText(*stored) + u" ✓"_s;
}

QString offsetsText(const RecordBlock &block)
{
    const qint64 count = block.end - block.first;
    return count == 1 ? tr("offset %1").arg(groupedDigits(block.first.value))
                      : tr("offsets %1 … %2 (%3)")
                            .arg(groupedDigits(block.first.value),
                                 groupedDigits(block.end.value - 1), groupedDigits(count));
}

/// One short line for the value column of a row that is no record.
QString noteLine(const RecordBlock &block)
{
    switch (block.kind) {
    case RowKind::Record:
        break;
    case RowKind::Oversized:
        return block.noteBytes > 0
                   ? tr("larger than max bytes: %1, not fetched").arg(byteText(block.noteBytes))
                   : tr("larger than max bytes, size unknown, not fetched");
    case RowKind::Unreadable:
        return tr("damaged log: nothing readable at %1").arg(offsetsText(block));
    case RowKind::ImpossibleSize:
        return tr("damaged log: impossible record size %1; %2")
            .arg(QString::number(block.noteBytes), offsetsText(block));
    case RowKind::BelowLogStart:
        return tr("removed by retention: %1").arg(offsetsText(block));
    case RowKind::Hole:
        return tr("hole in the log: the broker has no %1").arg(offsetsText(block));
    case RowKind::NoRecords:
        return tr("no records: %1").arg(offsetsText(block));
    case RowKind::Aborted:
        return tr("aborted transaction: %1").arg(offsetsText(block));
    case RowKind::NotCommitted:
        return tr("no committed records: %1").arg(offsetsText(block));
    case RowKind::NotExported:
        return tr("not in this file: %1: %2")
            .arg(offsetsText(block), previewText(asBytes(block.noteReason.toUtf8())));
    case RowKind::UnreadableBatch:
        return tr("unreadable: %1: %2")
            .arg(offsetsText(block), previewText(asBytes(block.noteReason.toUtf8())));
    case RowKind::Refused:
        return tr("refused: %1").arg(offsetsText(block));
    }
    return {};
}

/// The key or value of a record; nullopt when it is null.
std::optional<std::span<const std::byte>> payloadOf(const RowRef &row, PayloadPart part)
{
    const RecordChunk &chunk = *row.block->chunk;
    if (part == PayloadPart::Key) {
        return row.record->flags & RecordFlag::HasKey ? std::optional(chunk.key(*row.record))
                                                      : std::nullopt;
    }
    return row.record->flags & RecordFlag::NullValue ? std::nullopt
                                                     : std::optional(chunk.value(*row.record));
}

/// Precondition: neither null nor empty.
DecodedPayload decoded(const RowRef &row, PayloadPart part, const PayloadCodec *codec)
{
    return (codec ? codec : PayloadCodec::automatic())
        ->decode(*payloadOf(row, part), {row.block->chunk->partition().topic, part, {}});
}

QString payloadText(const RowRef &row, PayloadPart part, const PayloadCodec *codec)
{
    const auto bytes = payloadOf(row, part);
    if (!bytes)
        return tr("null");
    if (bytes->empty())
        return tr("empty");
    return decoded(row, part, codec).text;
}

QString timeText(const RowRef &row)
{
    if (!row.record)
        return {};
    const auto time = timeOf(*row.block->chunk, *row.record);
    return time ? TimeStyle::current().text(*time) : tr("none");
}

/// "2: trace-id, tenant": how many, and the names as far as there is sense in it.
QString headersText(const RowRef &row)
{
    constexpr size_t kMostBytes = size_t(16) * 1024;
    constexpr qsizetype kMostChars = 200;
    if (!row.record)
        return {};
    const auto bytes = row.block->chunk->headers(*row.record);
    if (bytes.size() > kMostBytes)
        return tr("%1 of headers").arg(byteText(qint64(bytes.size())));
    const auto headers = readHeaders(bytes);
    if (!headers || headers->isEmpty())
        return {};
    QString text = QString::number(headers->size()) + u": "_s;
    for (const RecordHeader &header : *headers) {
        if (text.size() > kMostChars)
            return text + u'…';
        if (&header != &headers->constFirst())
            text += u", "_s;
        text += header.name.isEmpty() ? tr("(no name)") : previewText(asBytes(header.name));
    }
    return text;
}

/// "Set by the producer: 1764480248123 ms since 1970."
QString timeToolTip(const RecordChunk &chunk, const Record &record)
{
    const auto timestamp = chunk.timestampMs(record);
    if (!timestamp)
        return tr("The record has no timestamp.");
    const QString whose = record.flags & RecordFlag::LogAppendTime
                              ? tr("Log append time, set by the broker")
                              : tr("Create time, set by the producer");
    return timestamp == kNoTimestamp ? tr("%1: −1, which means none.").arg(whose)
                                     : tr("%1: %2 ms since 1970 UTC.").arg(whose).arg(*timestamp);
}

QString payloadToolTip(const RowRef &row, PayloadPart part, const PayloadCodec *codec)
{
    const auto bytes = payloadOf(row, part);
    if (!bytes || bytes->empty() || !codec)
        return payloadText(row, part, codec);
    const DecodedPayload shown = decoded(row, part, codec);
    if (shown.problem.isEmpty())
        return shown.text;
    if (shown.lacksSchema)
        return tr("Shown as bytes: %1.\n%2").arg(shown.problem, shown.text);
    const QString format = codec->chosenFor(*bytes).format->title(); // of what was tried
    return tr("Not %1: %2.\n%3").arg(format, shown.problem, shown.text);
}

} // namespace

QString timeTypeText(const RecordChunk &chunk, const Record &record)
{
    if (!timeOf(chunk, record))
        return tr("none");
    return record.flags & RecordFlag::LogAppendTime ? tr("log append") : tr("create");
}

QString cellText(const RowRef &row, RecordColumn column, const RecordFormats &formats)
{
    switch (column) {
    case RecordColumn::Partition:
        return QString::number(row.block->partition.value);
    case RecordColumn::Offset:
        return groupedDigits(row.offset().value);
    case RecordColumn::Flags:
        return stateName(stateOf(row));
    case RecordColumn::Time:
        return timeText(row);
    case RecordColumn::TimeType:
        return row.record ? timeTypeText(*row.block->chunk, *row.record) : QString();
    case RecordColumn::Key:
        return row.record ? payloadText(row, PayloadPart::Key, formats.key.get()) : QString();
    case RecordColumn::Headers:
        return headersText(row);
    case RecordColumn::KeySize:
    case RecordColumn::TotalSize: {
        const auto number = cellNumber(row, column);
        return number ? groupedDigits(*number) : QString();
    }
    case RecordColumn::Size:
        return sizeText(row);
    case RecordColumn::Crc:
        return checksumText(row);
    case RecordColumn::Batch:
        return row.record && row.record->flags & RecordFlag::BatchVerified ? tr("verified")
                                                                           : QString();
    case RecordColumn::Value:
        return row.record ? payloadText(row, PayloadPart::Value, formats.value.get())
                          : noteLine(*row.block);
    }
    return {};
}

std::optional<qint64> cellNumber(const RowRef &row, RecordColumn column)
{
    switch (column) {
    case RecordColumn::Partition:
        return row.block->partition.value;
    case RecordColumn::Offset:
        return row.offset().value;
    case RecordColumn::KeySize:
        return row.record && row.record->flags & RecordFlag::HasKey
                   ? std::optional<qint64>(row.record->keySize)
                   : std::nullopt;
    case RecordColumn::TotalSize:
        return row.record ? std::optional<qint64>(row.record->frameBytes) : std::nullopt;
    case RecordColumn::Size:
        if (row.record)
            return row.record->valueSize;
        return row.block->noteBytes > 0 ? std::optional(row.block->noteBytes) : std::nullopt;
    default:
        return std::nullopt;
    }
}

bool isCellNote(const RowRef &row, RecordColumn column)
{
    if (!row.record)
        return column == RecordColumn::Value || column == RecordColumn::Crc;
    const RecordFlags flags = row.record->flags;
    if (column == RecordColumn::Value)
        return row.record->valueSize == 0;
    if (column == RecordColumn::Key)
        return !(flags & RecordFlag::HasKey) || row.record->keySize == 0;
    if (column == RecordColumn::Time || column == RecordColumn::TimeType)
        return !timeOf(*row.block->chunk, *row.record);
    return column == RecordColumn::Crc && !row.block->chunk->storedCrc(*row.record);
}

QString cellToolTip(const RowRef &row, RecordColumn column, const RecordFormats &formats)
{
    QString note = rowNote(row);
    if (!note.isEmpty() || !row.record)
        return note;
    switch (column) {
    case RecordColumn::Size:
        return row.record->valueSize < 1024 ? QString() : byteText(row.record->valueSize);
    case RecordColumn::Crc:
        return row.record->flags & RecordFlag::ChecksumVerified
                   ? tr("Verified: the checksum stored with the record equals the one computed "
                        "here.")
                   : tr("The engine stores no checksum for each record.");
    case RecordColumn::Time:
    case RecordColumn::TimeType:
        return timeToolTip(*row.block->chunk, *row.record);
    case RecordColumn::Key:
        return payloadToolTip(row, PayloadPart::Key, formats.key.get());
    case RecordColumn::Value:
        return payloadToolTip(row, PayloadPart::Value, formats.value.get());
    case RecordColumn::Headers:
        return headersText(row);
    default:
        return {};
    }
}

QString stateName(RowState state)
{
    switch (state) {
    case RowState::Normal:
        return {};
    case RowState::Tombstone:
        return tr("tombstone");
    case RowState::ChecksumMismatch:
        return tr("bad checksum");
    case RowState::Oversized:
        return tr("too large");
    case RowState::Damaged:
        return tr("damaged");
    case RowState::Gap:
        return tr("gap");
    }
    return {};
}

QString rowNote(const RowRef &row)
{
    const RecordBlock &block = *row.block;
    switch (block.kind) {
    case RowKind::Record:
        if (row.record->flags & RecordFlag::SizeDamaged) {
            return tr("The size stored with the record is damaged: one bit of it is flipped. Its "
                      "checksum %1 fits %2 bytes, which are shown; they and the records around it "
                      "are sound.")
                .arg(crcText(block.chunk->storedCrc(*row.record).value_or(0)),
                     groupedDigits(row.record->valueSize));
        }
        if (row.record->flags & RecordFlag::ChecksumMismatch) {
            return tr("Checksum mismatch: %1 is stored with the record, but its bytes give %2. "
                      "They "
                      "changed after the record was stored. The records around it are checked on "
                      "their own.")
                .arg(crcText(block.chunk->storedCrc(*row.record).value_or(0)),
                     crcText(block.chunk->computedCrc(*row.record)));
        }
        return {};
    case RowKind::Oversized:
        return (block.noteBytes > 0
                    ? tr("The record has %1 (%2 bytes), more than the max bytes of a fetch.")
                          .arg(byteText(block.noteBytes), groupedDigits(block.noteBytes))
                    : tr("The record is larger than the max bytes of a fetch; its size is not "
                         "known.")) +
               u' ' + tr("A consumer with this limit is stuck here. “Fetch whole” shows it.");
    case RowKind::Unreadable:
        return tr("The broker answers with nothing at %1 although its log goes on: the log is "
                  "damaged there.")
            .arg(offsetsText(block));
    case RowKind::ImpossibleSize:
        return tr("The record at offset %1 begins with the size %2, which no record has: the log "
                  "is "
                  "damaged. Not shown: %3.")
            .arg(groupedDigits(block.first.value), QString::number(block.noteBytes),
                 offsetsText(block));
    case RowKind::BelowLogStart:
        return tr("Retention removed %1 while they were being read.").arg(offsetsText(block));
    case RowKind::Hole:
        return tr("The broker has no %1, although they lie between its log start offset and its "
                  "high watermark: a segment is missing or damaged.")
            .arg(offsetsText(block));
    case RowKind::NoRecords:
        return tr("The log has no records at %1: compacted away, deleted, or the marks of "
                  "transactions (control records). Not damage.")
            .arg(offsetsText(block));
    case RowKind::Aborted:
        return tr("At %1 are records of aborted transactions. Reading committed records leaves "
                  "them out; reading uncommitted shows them.")
            .arg(offsetsText(block));
    case RowKind::NotCommitted:
        return tr("Reading committed records gives nothing at %1: records of aborted transactions, "
                  "or none at all (compacted away, deleted, control records). Reading uncommitted "
                  "tells which.")
            .arg(offsetsText(block));
    case RowKind::NotExported:
        return tr("The file does not have %1: it was written without them (%2). Whether there were "
                  "records is not known here.")
            .arg(offsetsText(block), previewText(asBytes(block.noteReason.toUtf8())));
    case RowKind::UnreadableBatch:
        return tr("No record can be shown of %1: %2. What is behind is shown.")
            .arg(offsetsText(block), previewText(asBytes(block.noteReason.toUtf8())));
    case RowKind::Refused:
        return tr("Partition %1 cannot be read at %2: %3. Going to any place asks again.")
            .arg(QString::number(block.partition.value), offsetsText(block),
                 previewText(asBytes(block.noteReason.toUtf8())));
    }
    return {};
}

QString payloadKindText(std::span<const std::byte> payload)
{
    switch (detectKind(payload)) {
    case PayloadKind::Empty:
        return tr("empty");
    case PayloadKind::Json:
        return tr("JSON");
    case PayloadKind::Text:
        return tr("text");
    case PayloadKind::Binary:
        return tr("binary");
    }
    return {};
}

} // namespace topicscope::ui
