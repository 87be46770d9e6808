#include "core/base/error.h"

#include <QStringList>

namespace topicscope
{

using namespace Qt::StringLiterals;

QString errorKindName(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::Cancelled:
        return u"Cancelled"_s;
    case ErrorKind::Timeout:
        return u"Timeout"_s;
    case ErrorKind::Busy:
        return u"Busy"_s;
    case ErrorKind::Network:
        return u"Network"_s;
    case ErrorKind::Protocol:
        return u"Protocol"_s;
    case ErrorKind::Broker:
        return u"Broker"_s;
    case ErrorKind::Checksum:
        return u"Checksum"_s;
    case ErrorKind::RecordExceedsMaxBytes:
        return u"RecordExceedsMaxBytes"_s;
    case ErrorKind::Unsupported:
        return u"Unsupported"_s;
    case ErrorKind::ReadOnly:
        return u"ReadOnly"_s;
    case ErrorKind::InvalidArgument:
        return u"InvalidArgument"_s;
    case ErrorKind::PartitionsChanged:
        return u"PartitionsChanged"_s;
    case ErrorKind::OutcomeUnknown:
        return u"OutcomeUnknown"_s;
    case ErrorKind::Closed:
        return u"Closed"_s;
    case ErrorKind::Io:
        return u"Io"_s;
    }
    return u"Unknown"_s;
}

Error Error::make(ErrorKind kind, QString detail, ErrorPlace where)
{
    Error error;
    error.kind = kind;
    error.detail = std::move(detail);
    error.where = std::move(where);
    error.retriable =
        kind == ErrorKind::Timeout || kind == ErrorKind::Busy || kind == ErrorKind::Network;
    return error;
}

QString describe(const ErrorPlace &where)
{
    QStringList parts;
    if (!where.topic.isEmpty()) {
        parts << (where.partition
                      ? u"%1/%2"_s.arg(where.topic, QString::number(where.partition->value))
                      : where.topic);
    }
    if (where.offset)
        parts << u"offset %1"_s.arg(where.offset->value);
    if (where.byte)
        parts << u"at byte %1"_s.arg(*where.byte);
    if (!where.endpoint.isEmpty())
        parts << (parts.isEmpty() ? where.endpoint : u"from %1"_s.arg(where.endpoint));
    return parts.join(u' ');
}

QString describe(const Error &error)
{
    QString text = errorKindName(error.kind);
    if (error.kind == ErrorKind::Broker)
        text += u": %1 (%2)"_s.arg(error.brokerName).arg(error.brokerCode);
    if (error.storedCrc && error.computedCrc) {
        text += u": stored %1, computed %2"_s.arg(*error.storedCrc, 8, 16, QChar(u'0'))
                    .arg(*error.computedCrc, 8, 16, QChar(u'0'));
    }
    if (error.recordBytes && error.limitBytes)
        text += u": record of %1 bytes, limit %2"_s.arg(*error.recordBytes).arg(*error.limitBytes);
    const QString where = describe(error.where);
    if (!where.isEmpty())
        text += u" at "_s + where;
    if (!error.detail.isEmpty())
        text += u": "_s + error.detail;
    return text;
}

} // namespace topicscope
