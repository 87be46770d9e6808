#include "core/kafka/kafkaerrors.h"

#include "core/base/bytewriter.h"
#include "core/kafka/kafkalimits.h"

#include <QRegularExpression>

#include <cstring>

namespace topicscope::kafka
{

using namespace Qt::StringLiterals;

namespace
{

/// "Broker: Offset out of range" → "Offset out of range".
QString description(rd_kafka_resp_err_t code)
{
    QString text = QString::fromUtf8(rd_kafka_err2str(code));
    for (const auto &prefix : {u"Broker: "_s, u"Local: "_s}) {
        if (text.startsWith(prefix))
            text = text.sliced(prefix.size());
    }
    return text;
}

ErrorKind kindOf(rd_kafka_resp_err_t code)
{
    switch (code) {
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR__RESOLVE:
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
    case RD_KAFKA_RESP_ERR__SSL:
    case RD_KAFKA_RESP_ERR__AUTHENTICATION:
    case RD_KAFKA_RESP_ERR__NODE_UPDATE:
    case RD_KAFKA_RESP_ERR__WAIT_COORD:
        return ErrorKind::Network;
    case RD_KAFKA_RESP_ERR__TIMED_OUT:
    case RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE:
    case RD_KAFKA_RESP_ERR__MSG_TIMED_OUT:
        return ErrorKind::Timeout;
    case RD_KAFKA_RESP_ERR__INVALID_ARG:
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
        return ErrorKind::InvalidArgument;
    case RD_KAFKA_RESP_ERR__QUEUE_FULL:
        return ErrorKind::Busy;
    case RD_KAFKA_RESP_ERR__NOT_IMPLEMENTED:
    case RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE:
        return ErrorKind::Unsupported;
    case RD_KAFKA_RESP_ERR__DESTROY:
        return ErrorKind::Closed;
    default:
        // UNKNOWN is an answer as well: the broker's own "unknown server error".
        return int(code) > 0 || code == RD_KAFKA_RESP_ERR_UNKNOWN ? ErrorKind::Broker
                                                                  : ErrorKind::Protocol;
    }
}

bool isRetriable(rd_kafka_resp_err_t code)
{
    switch (code) {
    case RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION:
    case RD_KAFKA_RESP_ERR_KAFKA_STORAGE_ERROR:
    case RD_KAFKA_RESP_ERR_FENCED_LEADER_EPOCH:
    case RD_KAFKA_RESP_ERR_UNKNOWN_LEADER_EPOCH:
    case RD_KAFKA_RESP_ERR_OFFSET_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT:
    case RD_KAFKA_RESP_ERR_BROKER_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_REPLICA_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION:
    case RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS:
    case RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_NOT_COORDINATOR:
    case RD_KAFKA_RESP_ERR_NOT_CONTROLLER:
    case RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS:
    case RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND:
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
    case RD_KAFKA_RESP_ERR__TIMED_OUT:
    case RD_KAFKA_RESP_ERR__QUEUE_FULL:
        return true;
    default:
        return false;
    }
}

/// When the announced length of an answer is none: the four bytes that stand in its place.
QString strangersGreeting(qint64 bytes)
{
    if (bytes >= 0 && bytes <= kMaxRecordBytes)
        return {};
    ByteWriter out;
    out.i32(qint32(bytes));
    const QByteArray first = out.take();
    const QString text = QString::fromLatin1(first.toHex(' '));
    return first == "HTTP" ? text + u" (HTTP)"_s : text;
}

/// Whether a login failed at home. In the words of Kerberos, MIT's and Heimdal's.
bool lacksTicket(const QString &text)
{
    return text.contains(u"GSSAPI Error"_s) &&
           (text.contains(u"No Kerberos credentials"_s) ||
            text.contains(u"No credentials"_s, Qt::CaseInsensitive) ||
            text.contains(u"Ticket expired"_s, Qt::CaseInsensitive));
}

} // namespace

Error fromCode(rd_kafka_resp_err_t code, const QString &detail, ErrorPlace where)
{
    Error error = Error::make(kindOf(code), description(code), std::move(where));
    if (!detail.isEmpty() && detail != error.detail)
        error.detail = detail + u" ("_s + error.detail + u')';
    error.retriable = isRetriable(code);
    if (int(code) > 0) {
        error.brokerCode = qint16(code);
        error.brokerName = QString::fromLatin1(rd_kafka_err2name(code));
    } else if (code == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET) {
        // What the library makes of the broker's answer when it is told not to jump elsewhere.
        error.kind = ErrorKind::Broker;
        error.brokerCode = qint16(RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE);
        error.brokerName = u"OFFSET_OUT_OF_RANGE"_s;
    } else if (code == RD_KAFKA_RESP_ERR__RESOLVE) {
        error.networkCause = NetworkCause::HostUnknown;
    } else if (code == RD_KAFKA_RESP_ERR__AUTHENTICATION) {
        error.networkCause =
            lacksTicket(detail) ? NetworkCause::NoTicket : NetworkCause::LoginRefused;
    } else if (code == RD_KAFKA_RESP_ERR__SSL) {
        error.networkCause = NetworkCause::Tls;
    } else if (error.kind == ErrorKind::Network && detail.contains(u"Connection refused"_s)) {
        error.networkCause = NetworkCause::Refused;
    }
    return error;
}

std::optional<Error> refusedAnswer(rd_kafka_resp_err_t code, const QString &text)
{
    // "Receive failed: Invalid response size 20971634 (0..1000000): increase
    // receive.message.max.bytes"
    static const QRegularExpression form(
        u"response size (-?\\d+) \\(0\\.\\.(\\d+)\\): increase receive\\.message\\.max\\.bytes"_s);
    const auto match = form.match(text);
    if (code != RD_KAFKA_RESP_ERR__BAD_MSG || !match.hasMatch())
        return std::nullopt;
    const qint64 bytes = match.captured(1).toLongLong();
    if (const QString stranger = strangersGreeting(bytes); !stranger.isEmpty()) {
        return Error::make(ErrorKind::Protocol,
                           u"what answers is no Kafka broker: it begins with "_s + stranger);
    }
    Error error = Error::make(
        ErrorKind::RecordExceedsMaxBytes,
        u"the broker's answer has %1 bytes, the connection's property receive.message.max.bytes is %2"_s
            .arg(match.captured(1), match.captured(2)));
    error.recordBytes = bytes;
    error.limitBytes = match.captured(2).toLongLong();
    return error;
}

std::optional<Error> senselessAnswer(QLatin1StringView facility, const QString &text)
{
    // "… Protocol parse failure for Metadata v4 at 8/8 …", "… Protocol read buffer underflow for …"
    static const QRegularExpression form(u"Protocol [a-z ]+ for (\\w+ v\\d+) at "_s);
    if (facility != "PROTOERR"_L1 && facility != "PROTOUFLOW"_L1)
        return std::nullopt;
    const auto match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    return Error::make(ErrorKind::Protocol,
                       u"the broker's answer to %1 makes no sense"_s.arg(match.captured(1)));
}

bool isUnreadableBatch(rd_kafka_resp_err_t code)
{
    return code == RD_KAFKA_RESP_ERR__BAD_MSG || code == RD_KAFKA_RESP_ERR__BAD_COMPRESSION ||
           code == RD_KAFKA_RESP_ERR__NOT_IMPLEMENTED;
}

rd_kafka_resp_err_t codeOf(const rd_kafka_resp_err_t &field)
{
    int code = 0;
    static_assert(sizeof code == sizeof field);
    std::memcpy(&code, &field, sizeof code);
    const bool isKnown = code > RD_KAFKA_RESP_ERR__BEGIN && code < RD_KAFKA_RESP_ERR_END_ALL;
    return isKnown ? rd_kafka_resp_err_t(code) : RD_KAFKA_RESP_ERR_UNKNOWN;
}

} // namespace topicscope::kafka
