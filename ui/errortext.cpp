#include "ui/errortext.h"

#include <QCoreApplication>
#include <QStringList>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("ErrorText", text);
}

ErrorText brokerText(const Error &error)
{
    if (error.brokerName == u"UNKNOWN_TOPIC_OR_PARTITION"_s)
        return {tr("The broker does not know this topic or partition."),
                {},
                tr("Refresh the list of topics; names are case-sensitive.")};
    if (error.brokerName == u"OFFSET_OUT_OF_RANGE"_s)
        return {tr("The broker has no record at this offset."),
                {},
                tr("It may have been removed by retention, lost to damage, or not exist yet. "
                   "Refresh to see the current range.")};
    if (error.brokerName == u"RECORD_TOO_LARGE"_s)
        return {tr("The broker refuses the record: it is larger than one of its segments."),
                {},
                tr("Nothing was stored. Publish a smaller record, or raise the segment capacity.")};
    if (error.brokerName == u"GROUP_AUTHORIZATION_FAILED"_s)
        return {tr("This user may not look at this group."),
                {},
                tr("It needs the right to describe it.")};
    if (error.brokerName == u"UNSUPPORTED_VERSION"_s)
        return {tr("The broker does not support this kind of request."),
                {},
                tr("It may be another version, or not a booblik broker.")};
    if (error.brokerName == u"CORRUPT_REQUEST"_s)
        return {
            tr("The broker refuses the request as malformed."),
            {},
            tr("An empty record is refused like this: booblik cannot store a value of 0 bytes.")};
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
        return {tr("The broker cannot be reached."),
                {},
                tr("Check host and port, and whether the broker is running.")};
    case ErrorKind::Protocol:
        return {tr("The peer's answer is not what the protocol allows."),
                {},
                tr("The connection was closed. Is this port really a booblik broker?")};
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
        if (!error.detail.isEmpty() && (error.networkCause == NetworkCause::Other ||
                                        error.networkCause == NetworkCause::LoginRefused))
            text.title += u' ' + asSentence(error.detail);
    }
    return text;
}

} // namespace topicscope::ui
