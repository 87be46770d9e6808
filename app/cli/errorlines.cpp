#include "app/cli/errorlines.h"

#include "app/cli/command.h"
#include "core/records/jsonline.h"
#include "core/records/payloadformat.h"

#include <cstdio>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;

namespace
{

QString brokerSentence(const Error &error)
{
    if (error.brokerName.startsWith(u"UNKNOWN_TOPIC_OR_PART"_s))
        return u"the broker has no such topic or partition; 'topicscope-cli partitions' lists "
               u"what it has"_s;
    if (error.brokerName == u"OFFSET_OUT_OF_RANGE"_s)
        return u"the broker has no record at this offset; 'topicscope-cli partitions' shows the "
               u"range, '--from start' begins at the oldest record"_s;
    if (error.brokerName == u"RECORD_TOO_LARGE"_s)
        return u"the record is larger than the broker stores; nothing was stored"_s;
    if (error.brokerName == u"UNSUPPORTED_VERSION"_s)
        return u"the broker does not speak our version of the protocol"_s;
    if (error.brokerName == u"CORRUPT_REQUEST"_s)
        return u"the broker refused the request as malformed; nothing was done"_s;
    if (error.brokerName.endsWith(u"_AUTHORIZATION_FAILED"_s))
        return u"this user may not do that"_s;
    if (error.brokerName == u"LEADER_NOT_AVAILABLE"_s ||
        error.brokerName == u"NOT_LEADER_FOR_PARTITION"_s)
        return u"the partition has no leader at the moment"_s;
    if (error.brokerName == u"MSG_SIZE_TOO_LARGE"_s ||
        error.brokerName == u"RECORD_LIST_TOO_LARGE"_s)
        return u"the record is larger than the topic allows; nothing was stored"_s;
    if (error.brokerName == u"NOT_ENOUGH_REPLICAS"_s)
        return u"too few replicas are in sync for acks=all; nothing was stored"_s;
    return u"the broker refused"_s;
}

QString networkSentence(NetworkCause cause)
{
    switch (cause) {
    case NetworkCause::LoginRefused:
        return u"the broker refuses the login; check user, password and mechanism"_s;
    case NetworkCause::NoTicket:
        return u"there is no valid Kerberos ticket; run kinit, or set sasl.kerberos.principal and "
               u"sasl.kerberos.keytab"_s;
    case NetworkCause::Tls:
        return u"no secure connection (TLS); does this port speak it, and is its certificate "
               u"trusted?"_s;
    case NetworkCause::HostUnknown:
        return u"there is no host of this name"_s;
    case NetworkCause::Refused:
    case NetworkCause::Other:
        break;
    }
    return u"no connection; is a broker listening there? --broker sets the address"_s;
}

/// For kinds whose detail is the sentence.
QString detailOr(const Error &error, const QString &otherwise)
{
    return error.detail.isEmpty() ? otherwise : error.detail;
}

QString sentence(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::Cancelled:
        return u"interrupted"_s;
    case ErrorKind::Timeout:
        return u"no answer in time; --timeout sets how long to wait"_s;
    case ErrorKind::Busy:
        return detailOr(error, u"too much is waiting; try again"_s);
    case ErrorKind::Network:
        return networkSentence(error.networkCause);
    case ErrorKind::Protocol:
        return u"the peer's answer breaks the protocol; is it a broker of this kind?"_s;
    case ErrorKind::Broker:
        return u"%1 [%2, code %3]"_s.arg(brokerSentence(error), error.brokerName)
            .arg(error.brokerCode);
    case ErrorKind::Checksum:
        return u"the record is damaged: its checksum differs"_s;
    case ErrorKind::RecordExceedsMaxBytes:
        return u"the record is larger than --max-bytes"_s;
    case ErrorKind::Unsupported:
        return detailOr(error, u"this broker cannot do that"_s);
    case ErrorKind::ReadOnly:
        return u"refused: the connection is read-only (--read-only, or kept so)"_s;
    case ErrorKind::InvalidArgument:
        return detailOr(error, u"refused before anything was sent"_s);
    case ErrorKind::PartitionsChanged:
        return u"the topic has another number of partitions now; nothing was sent"_s;
    case ErrorKind::OutcomeUnknown:
        return u"outcome unknown: the record was sent and no answer came, so it may or may not be "
               u"in the log; look for it from this offset on before publishing again"_s;
    case ErrorKind::Closed:
        return u"nothing was sent: the connection was closed"_s;
    case ErrorKind::Io:
        return u"cannot read or write the file"_s;
    }
    return errorKindName(error.kind);
}

} // namespace

QString errorLine(const Error &error)
{
    QString line = describe(error.where);
    if (!line.isEmpty())
        line += u": "_s;
    const QString main = sentence(error);
    line += main;
    if (error.storedCrc && error.computedCrc) {
        line += u" (stored %1, computed %2)"_s.arg(*error.storedCrc, 8, 16, QChar(u'0'))
                    .arg(*error.computedCrc, 8, 16, QChar(u'0'));
    }
    if (error.recordBytes && error.limitBytes)
        line += u" (%1 bytes, limit %2)"_s.arg(*error.recordBytes).arg(*error.limitBytes);
    if (!error.detail.isEmpty() && error.detail != main)
        line += u" ("_s + error.detail + u')';
    return line;
}

QByteArray errorJson(const Error &error)
{
    JsonLine json;
    json.text("type", u"error"_s).text("kind", errorKindName(error.kind));
    if (error.kind == ErrorKind::Broker)
        json.number("code", error.brokerCode).text("name", error.brokerName);
    json.boolean("retriable", error.retriable);
    if (!error.where.topic.isEmpty())
        json.text("topic", error.where.topic);
    if (error.where.partition)
        json.number("partition", error.where.partition->value);
    if (error.where.offset)
        json.number("offset", error.where.offset->value);
    if (!error.where.endpoint.isEmpty())
        json.text("endpoint", error.where.endpoint);
    json.text("text", errorLine(error));
    return json.take();
}

int exitCodeOf(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::OutcomeUnknown:
        return ExitOutcomeUnknown;
    case ErrorKind::Cancelled:
        return ExitInterrupted;
    default:
        return ExitFailed;
    }
}

QString drawn(const QString &text)
{
    QString drawn;
    for (const char32_t c : text.toUcs4())
        drawn += drawnCharacter(c);
    return drawn;
}

void printError(const QString &text)
{
    QStringList lines = text.split(u'\n');
    for (QString &line : lines)
        line = drawn(line);
    std::fprintf(stderr, "topicscope-cli: %s\n", lines.join(u'\n').toUtf8().constData());
}

} // namespace topicscope::cli
