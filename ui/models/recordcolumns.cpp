// The columns of a record table: their names, titles and explanations.

#include "ui/models/recordtext.h"

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

} // namespace

bool isNumber(RecordColumn column)
{
    switch (column) {
    case RecordColumn::Partition:
    case RecordColumn::Offset:
    case RecordColumn::KeySize:
    case RecordColumn::Size:
    case RecordColumn::TotalSize:
        return true;
    default:
        return false;
    }
}

QString columnName(RecordColumn column)
{
    switch (column) {
    case RecordColumn::Partition:
        return u"partition"_s;
    case RecordColumn::Offset:
        return u"offset"_s;
    case RecordColumn::Flags:
        return u"flags"_s;
    case RecordColumn::Time:
        return u"time"_s;
    case RecordColumn::TimeType:
        return u"timeType"_s;
    case RecordColumn::Key:
        return u"key"_s;
    case RecordColumn::Headers:
        return u"headers"_s;
    case RecordColumn::KeySize:
        return u"keySize"_s;
    case RecordColumn::Size:
        return u"size"_s;
    case RecordColumn::TotalSize:
        return u"totalSize"_s;
    case RecordColumn::Crc:
        return u"crc"_s;
    case RecordColumn::Batch:
        return u"batch"_s;
    case RecordColumn::Value:
        return u"value"_s;
    }
    return {};
}

QString columnTitle(RecordColumn column)
{
    switch (column) {
    case RecordColumn::Partition:
        return tr("Partition");
    case RecordColumn::Offset:
        return tr("Offset");
    case RecordColumn::Flags:
        return tr("Flags");
    case RecordColumn::Time:
        return tr("Time");
    case RecordColumn::TimeType:
        return tr("Time type");
    case RecordColumn::Key:
        return tr("Key");
    case RecordColumn::Headers:
        return tr("Headers");
    case RecordColumn::KeySize:
        return tr("Key size");
    case RecordColumn::Size:
        return tr("Size");
    case RecordColumn::TotalSize:
        return tr("Total size");
    case RecordColumn::Crc:
        return tr("CRC-32C");
    case RecordColumn::Batch:
        return tr("Batch");
    case RecordColumn::Value:
        return tr("Value");
    }
    return {};
}

QString columnToolTip(RecordColumn column)
{
    switch (column) {
    case RecordColumn::Partition:
        return tr("Number of the partition inside its topic");
    case RecordColumn::Offset:
        return tr("Position of the record in its partition");
    case RecordColumn::Flags:
        return tr("What is wrong with the record, if anything");
    case RecordColumn::Time:
        return tr("Timestamp of the record; the preferences choose the time zone");
    case RecordColumn::TimeType:
        return tr("Whose clock the timestamp is of: create (the producer's), log append (the "
                  "broker's), or none");
    case RecordColumn::Headers:
        return tr("How many headers the record has, and their names");
    case RecordColumn::KeySize:
        return tr("Bytes of the key");
    case RecordColumn::TotalSize:
        return tr("Bytes of key, headers and value together");
    case RecordColumn::Batch:
        return tr("Whether the checksum of the batch the record came in was checked and is right");
    case RecordColumn::Key:
        return tr("The beginning of the key");
    case RecordColumn::Size:
        return tr("Bytes of the value");
    case RecordColumn::Crc:
        return tr("CRC-32C of the value as it is stored, compared with the one computed here");
    case RecordColumn::Value:
        return tr("The beginning of the value; characters without a glyph are drawn");
    }
    return {};
}

} // namespace topicscope::ui
