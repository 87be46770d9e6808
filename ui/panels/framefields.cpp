#include "ui/panels/framefields.h"

#include "core/base/bytereader.h"
#include "core/base/digits.h"
#include "core/records/payloadformat.h"
#include "core/records/recordcodec.h"
#include "core/records/timestyle.h"
#include "ui/models/recordtext.h"
#include "ui/plaintooltip.h"
#include "ui/theme/icons.h"

#include <QHeaderView>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kBeginRole = Qt::UserRole;
constexpr int kEndRole = Qt::UserRole + 1;

/// "2026-11-30 05:24:08.123Z (1796016248123 ms), create".
QString timestampField(const RecordChunk &chunk, const Record &record)
{
    const auto timestamp = chunk.timestampMs(record);
    if (!timestamp)
        return FrameFields::tr("none");
    return FrameFields::tr("%1 (%2 ms), %3")
        .arg(TimeStyle::current().text(*timestamp), QString::number(*timestamp),
             timeTypeText(chunk, record));
}

} // namespace

FrameFields::FrameFields(QWidget *parent)
    : QTreeWidget(parent)
{
    setHeaderLabels({tr("Bytes"), tr("Field"), tr("Value")});
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setIconSize(QSize(14, 14));
    setAccessibleName(tr("Fields of the stored record"));
    header()->setStretchLastSection(true);
    connect(this, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem *item) {
        if (item && item->data(0, kBeginRole).isValid())
            emit bytesChosen(item->data(0, kBeginRole).toLongLong(),
                             item->data(0, kEndRole).toLongLong());
    });
}

void FrameFields::showRecord(const RecordChunk &chunk, const Record &record,
                             const Capabilities &capabilities)
{
    clear();
    const auto add = [this](const QString &bytes, const QString &field, const QString &shown) {
        auto *item = new QTreeWidgetItem(this, {bytes, field, shown});
        item->setToolTip(2, plainToolTip(shown));
        return item;
    };
    const auto addBytes = [&](qint64 begin, qint64 end, const QString &field,
                              const QString &shown) {
        QTreeWidgetItem *item =
            add(u"%1 … %2"_s.arg(groupedDigits(begin), groupedDigits(end - 1)), field, shown);
        item->setData(0, kBeginRole, begin);
        item->setData(0, kEndRole, end);
        return item;
    };
    add({}, tr("topic"), chunk.partition().topic);
    add({}, tr("partition"), QString::number(chunk.partition().partition.value));
    add({}, tr("offset"), groupedDigits(record.offset.value));
    const auto stored = chunk.frame(record);
    const auto crc = chunk.storedCrc(record);
    if (crc) {
        // The layout of core/records/recordcodec.h.
        const auto hexText = [](quint32 number) { return u"%1"_s.arg(number, 8, 16, QChar(u'0')); };
        const qint32 size = ByteReader(stored).i32();
        addBytes(0, 4, tr("size (i32)"), groupedDigits(size));
        addBytes(4, kRecordHeaderBytes, tr("CRC-32C, stored (u32)"), hexText(*crc));
        const quint32 computed = chunk.computedCrc(record);
        QTreeWidgetItem *item =
            add({}, tr("CRC-32C, computed"),
                computed == *crc ? tr("%1  equal").arg(hexText(computed))
                                 : tr("%1  differs: the bytes changed").arg(hexText(computed)));
        item->setIcon(1, computed == *crc ? icon(IconName::Verified, Tone::Good)
                                          : icon(IconName::Corrupt, Tone::Danger));
        addBytes(kRecordHeaderBytes, qint64(stored.size()), tr("body"),
                 tr("%1 bytes, %2")
                     .arg(groupedDigits(record.valueSize), payloadKindText(chunk.value(record))));
    } else {
        if (capabilities.timestamps)
            add({}, tr("timestamp"), timestampField(chunk, record));
        const auto addPart = [&](qint64 begin, qint64 end, const QString &field, bool isNull) {
            if (isNull || begin == end)
                add({}, field, isNull ? tr("null") : tr("empty"));
            else
                addBytes(begin, end, field, tr("%1 bytes").arg(groupedDigits(end - begin)));
        };
        const qint64 value = record.valueBegin - record.keyBegin;
        if (capabilities.keys)
            addPart(0, record.keySize, tr("key"), !(record.flags & RecordFlag::HasKey));
        if (record.flags & RecordFlag::HasHeaders)
            addPart(record.keySize, value, tr("headers"), false);
        addPart(value, qint64(stored.size()), tr("value"),
                record.flags.testFlag(RecordFlag::NullValue));
        if (record.flags & RecordFlag::BatchVerified)
            add({}, tr("checksum of its batch"), tr("verified"))
                ->setIcon(1, icon(IconName::Verified, Tone::Good));
    }
    resizeColumnToContents(0);
    resizeColumnToContents(1);
}

} // namespace topicscope::ui
