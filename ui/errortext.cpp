#include "ui/errortext.h"

#include "core/base/digits.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("ErrorText", text);
}

/// What a broker's refusal means; both engines' names.
struct Refusal {
    const char *name;
    const char *title;
    const char *advice;
};

constexpr auto kRefusals = std::to_array<Refusal>({
    {"UNKNOWN_TOPIC_OR_PARTITION",
     QT_TRANSLATE_NOOP("ErrorText", "The broker does not know this topic or partition."),
     QT_TRANSLATE_NOOP("ErrorText", "Refresh the list of topics; names are case-sensitive.")},
    {"UNKNOWN_TOPIC_OR_PART",
     QT_TRANSLATE_NOOP("ErrorText", "The broker does not know this topic or partition."),
     QT_TRANSLATE_NOOP("ErrorText", "Refresh the list of topics; names are case-sensitive. A user "
                                    "who may not see a topic is told the same.")},
    {"OFFSET_OUT_OF_RANGE",
     QT_TRANSLATE_NOOP("ErrorText", "The broker has no record at this offset."),
     QT_TRANSLATE_NOOP("ErrorText",
                       "It may have been removed by retention, lost to damage, or not exist yet. "
                       "Refresh to see the current range.")},
    {"RECORD_TOO_LARGE",
     QT_TRANSLATE_NOOP("ErrorText",
                       "The broker refuses the record: it is larger than one of its segments."),
     QT_TRANSLATE_NOOP("ErrorText", "Nothing was stored. Publish a smaller record, or raise the "
                                    "segment capacity.")},
    {"UNSUPPORTED_VERSION",
     QT_TRANSLATE_NOOP("ErrorText", "The broker does not support this kind of request."),
     QT_TRANSLATE_NOOP("ErrorText", "It may be another version, or another kind of broker.")},
    {"CORRUPT_REQUEST",
     QT_TRANSLATE_NOOP("ErrorText", "The broker refuses the request as malformed."),
     QT_TRANSLATE_NOOP("ErrorText", "An empty record is refused like this: booblik cannot store a "
                                    "value of 0 bytes.")},
    {"TOPIC_AUTHORIZATION_FAILED",
     QT_TRANSLATE_NOOP("ErrorText", "This user may not do that with this topic."),
     QT_TRANSLATE_NOOP("ErrorText", "Reading needs the right Read, publishing the right Write.")},
    {"GROUP_AUTHORIZATION_FAILED",
     QT_TRANSLATE_NOOP("ErrorText", "This user may not look at this consumer group."),
     QT_TRANSLATE_NOOP("ErrorText", "It needs the right Describe on the group.")},
    {"CLUSTER_AUTHORIZATION_FAILED",
     QT_TRANSLATE_NOOP("ErrorText", "This user may not do that on the cluster."),
     QT_TRANSLATE_NOOP("ErrorText", "Ask whoever administrates the cluster for the right.")},
    {"LEADER_NOT_AVAILABLE",
     QT_TRANSLATE_NOOP("ErrorText", "The partition has no leader at the moment."),
     QT_TRANSLATE_NOOP("ErrorText", "It can be read again when one of its replicas is back.")},
    {"NOT_LEADER_FOR_PARTITION",
     QT_TRANSLATE_NOOP("ErrorText", "The partition is changing its leader."),
     QT_TRANSLATE_NOOP("ErrorText", "Try again in a moment.")},
    {"MSG_SIZE_TOO_LARGE",
     QT_TRANSLATE_NOOP("ErrorText", "The record is larger than the topic allows."),
     QT_TRANSLATE_NOOP("ErrorText", "Nothing was stored. The topic's max.message.bytes is the "
                                    "limit, counted after compression.")},
    {"RECORD_LIST_TOO_LARGE",
     QT_TRANSLATE_NOOP("ErrorText", "The record is larger than one of the topic's segments."),
     QT_TRANSLATE_NOOP("ErrorText", "Nothing was stored. The topic's segment.bytes is the limit.")},
    {"INVALID_RECORD", QT_TRANSLATE_NOOP("ErrorText", "The broker refuses the record."),
     QT_TRANSLATE_NOOP("ErrorText", "Nothing was stored. A compacted topic needs a key; a time may "
                                    "be too far from the broker's.")},
    {"INVALID_TIMESTAMP", QT_TRANSLATE_NOOP("ErrorText", "The broker refuses the record's time."),
     QT_TRANSLATE_NOOP("ErrorText", "Nothing was stored. It is too far from the broker's own.")},
    {"NOT_ENOUGH_REPLICAS",
     QT_TRANSLATE_NOOP("ErrorText", "Too few replicas are in sync to store it."),
     QT_TRANSLATE_NOOP("ErrorText", "Nothing was stored. The topic's min.insync.replicas says how "
                                    "many acks=all needs.")},
    {"NOT_ENOUGH_REPLICAS_AFTER_APPEND",
     QT_TRANSLATE_NOOP("ErrorText", "Too few replicas took the record over."),
     QT_TRANSLATE_NOOP("ErrorText", "It is in the leader's log. Look for it before publishing "
                                    "again.")},
    {"UNSUPPORTED_SASL_MECHANISM",
     QT_TRANSLATE_NOOP("ErrorText", "The broker does not offer this way to log in."),
     QT_TRANSLATE_NOOP("ErrorText", "Choose another mechanism in the connection's settings.")},
    {"COORDINATOR_NOT_AVAILABLE",
     QT_TRANSLATE_NOOP("ErrorText", "The broker that keeps this group is not ready."),
     QT_TRANSLATE_NOOP("ErrorText", "Try again in a moment.")},
    {"COORDINATOR_LOAD_IN_PROGRESS",
     QT_TRANSLATE_NOOP("ErrorText", "The broker that keeps this group is not ready."),
     QT_TRANSLATE_NOOP("ErrorText", "Try again in a moment.")},
});

ErrorText brokerText(const Error &error)
{
    const auto found = std::ranges::find_if(kRefusals, [&](const Refusal &refusal) {
        return error.brokerName == QLatin1StringView(refusal.name);
    });
    if (found != kRefusals.end()) {
        QString title = tr(found->title);
        if (error.recordBytes && error.limitBytes)
            title += u' ' +
                     tr("It has %1 bytes, the limit is %2.")
                         .arg(groupedDigits(*error.recordBytes), groupedDigits(*error.limitBytes));
        if (error.replicas)
            title += u' ' + tr("%1 of %2 are, and %3 are needed.")
                                .arg(error.replicas->inSync)
                                .arg(error.replicas->all)
                                .arg(error.replicas->needed);
        return {title, {}, tr(found->advice)};
    }
    return {
        tr("The broker answered with %1 (code %2).").arg(error.brokerName).arg(error.brokerCode),
        {},
        {}};
}

ErrorText kindText(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::Cancelled:
        return {tr("Cancelled."), {}, {}};
    case ErrorKind::Timeout:
        return {tr("No answer in time."),
                {},
                tr("The broker may be busy or gone. The request can be repeated.")};
    case ErrorKind::Busy:
        return {tr("Too many requests are waiting."), {}, tr("Try again in a moment.")};
    case ErrorKind::Network:
        if (error.networkCause == NetworkCause::Refused)
            return {tr("Nothing listens there."),
                    {},
                    tr("Check the port, and whether the broker is running.")};
        if (error.networkCause == NetworkCause::HostUnknown)
            return {tr("There is no host of this name."),
                    {},
                    tr("Check the name, or give an address.")};
        if (error.networkCause == NetworkCause::LoginRefused)
            return {tr("The login was refused."),
                    {},
                    tr("It is not tried again by itself, so that no account is locked. Check it in "
                       "the connection's settings.")};
        if (error.networkCause == NetworkCause::NoTicket)
            return {tr("There is no valid Kerberos ticket."),
                    {},
                    tr("Run kinit and choose Connect Again, or give the connection a principal and "
                       "its keytab.")};
        if (error.networkCause == NetworkCause::Tls)
            return {tr("No secure connection (TLS)."),
                    {},
                    tr("Check whether this port speaks TLS, and which certificates are trusted.")};
        return {tr("The broker cannot be reached."),
                {},
                tr("Check host and port, and whether the broker is running.")};
    case ErrorKind::Protocol:
        return {tr("The peer's answer is not what the protocol allows."),
                {},
                tr("The connection was closed. Is this port really a broker of this kind?")};
    case ErrorKind::Broker:
        return brokerText(error);
    case ErrorKind::Checksum:
        return {tr("The record's checksum is wrong."),
                {},
                tr("Its bytes changed after it was stored.")};
    case ErrorKind::RecordExceedsMaxBytes:
        return {tr("The record is larger than the fetch limit."),
                {},
                error.detail.isEmpty() ? tr("Fetch it whole, or raise the limit.")
                                       : tr("Raise that limit to read on here.")};
    case ErrorKind::Unsupported:
        return {tr("This engine cannot do that."), {}, {}};
    case ErrorKind::ReadOnly:
        return {tr("This connection is marked read-only."),
                {},
                tr("Nothing was sent. Remove the mark in the connection's settings to publish.")};
    case ErrorKind::InvalidArgument:
        return {tr("This cannot be sent."), {}, {}};
    case ErrorKind::PartitionsChanged:
        return {tr("The topic's number of partitions changed."),
                {},
                tr("Nothing was sent. Check the preview again: the key may select another "
                   "partition now.")};
    case ErrorKind::OutcomeUnknown:
        return {tr("Outcome unknown: the record was sent, but no answer came."),
                {},
                tr("It may or may not be in the log. Look for it before publishing again.")};
    case ErrorKind::Closed:
        return {tr("Nothing was sent: the connection was closed."), {}, {}};
    case ErrorKind::Io:
        return {tr("A file could not be read or written."), {}, {}};
    }
    return {tr("Unknown error."), {}, {}};
}

/// Details begin in lower case and have no full stop.
QString asSentence(QString text)
{
    text[0] = text[0].toUpper();
    return text.endsWith(u'.') ? text : text + u'.';
}

} // namespace

QString ErrorText::full() const
{
    QString text = title;
    if (!where.isEmpty())
        text += u" ("_s + where + u')';
    if (!advice.isEmpty())
        text += u' ' + advice;
    return text;
}

ErrorText errorText(const Error &error)
{
    ErrorText text = kindText(error);
    text.where = describe(error.where);
    if (error.kind == ErrorKind::InvalidArgument || error.kind == ErrorKind::Network ||
        error.kind == ErrorKind::Io || error.kind == ErrorKind::Protocol ||
        error.kind == ErrorKind::Unsupported) {
        const bool isSaid = error.networkCause == NetworkCause::Refused ||
                            error.networkCause == NetworkCause::HostUnknown;
        if (!error.detail.isEmpty() && !isSaid)
            text.title += u' ' + asSentence(error.detail);
    } else if (error.kind == ErrorKind::Busy && !error.detail.isEmpty()) {
        text.title = asSentence(error.detail);
    }
    return text;
}

} // namespace topicscope::ui
