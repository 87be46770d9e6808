#pragma once

#include "core/base/ids.h"

#include <QString>

#include <optional>

namespace topicscope
{

/// What went wrong, in terms a caller can act upon. The user-visible sentence is made from this and
/// the fields of Error by `ui` and the CLI, never by searching in texts.
enum class ErrorKind {
    Cancelled, ///< the caller asked to stop; nothing was lost
    Timeout,   ///< the deadline passed before an answer came
    Busy,      ///< a bounded queue is full; try again
    Network,   ///< name, connect, or socket failure; connection closed by the peer
    Protocol,  ///< the peer sent what the protocol does not allow; the connection is dropped
    Broker,    ///< the broker refused; see brokerCode and brokerName; the connection is usable
    Checksum,  ///< stored and computed checksum differ (strict decoding only)
    RecordExceedsMaxBytes, ///< the next record does not fit into the reader's max bytes
    Unsupported,           ///< this engine cannot do that
    ReadOnly,              ///< the session is marked read-only
    InvalidArgument,       ///< refused before anything was sent
    PartitionsChanged,     ///< the topic has another number of partitions than the caller was shown
    OutcomeUnknown, ///< a publish was sent and no answer came: it may or may not be in the log
    Closed,         ///< waiting or asked for when it was closed: nothing was sent
    Io,             ///< a file could not be read or written
};

/// Why the network failed, where that is known: the advice differs.
enum class NetworkCause {
    Other,
    Refused,      ///< the host answers, and nothing listens on that port
    HostUnknown,  ///< no address for that name
    LoginRefused, ///< reached, but who we are was not accepted
    NoTicket,     ///< Kerberos has nothing to show the broker who we are by
    Tls,          ///< the peer speaks no TLS, or one of both does not trust the other
};

/// The kind's name for logs and `--json` output, e.g. "OutcomeUnknown".
QString errorKindName(ErrorKind kind);

/// Where it went wrong; only what is known is set.
struct ErrorPlace {
    QString topic; ///< empty = not about one topic
    std::optional<PartitionId> partition;
    std::optional<Offset> offset; ///< for OutcomeUnknown: the end offset before sending
    QString endpoint;             ///< "host:port" or a file path
    std::optional<qint64> byte;   ///< position in the file or payload
};

/// Of a partition whose replicas are too few.
struct ReplicaCounts {
    int inSync = 0;
    int all = 0;
    int needed = 0;
};

/// One failure as a value. `detail` holds the technical facts (the two numbers compared, the
/// system's own message) for logs and the CLI; it contains no payload bytes and no credentials.
struct Error {
    ErrorKind kind = ErrorKind::Io;
    QString detail;
    qint16 brokerCode = 0; ///< only for kind Broker
    QString brokerName;    ///< e.g. "OFFSET_OUT_OF_RANGE", "UNKNOWN(17)"
    bool retriable = false;
    NetworkCause networkCause = NetworkCause::Other; ///< only for kind Network
    ErrorPlace where;
    std::optional<quint32> storedCrc;   ///< kind Checksum
    std::optional<quint32> computedCrc; ///< kind Checksum
    std::optional<qint64> recordBytes;  ///< kind RecordExceedsMaxBytes; 0 = cut inside its header
    std::optional<qint64> limitBytes;   ///< the limit recordBytes did not fit
    std::optional<ReplicaCounts> replicas; ///< why a publish was not stored, where that is known

    static Error make(ErrorKind kind, QString detail, ErrorPlace where = {});
};

/// One line of everything the error holds, for logs and the CLI:
/// "Broker: OFFSET_OUT_OF_RANGE (2) at orders/1 offset 70 from 127.0.0.1:9092: asked beyond the
/// end".
QString describe(const Error &error);

/// "orders/1 offset 70 at byte 12 from 127.0.0.1:9092"; empty when nothing is known.
QString describe(const ErrorPlace &where);

} // namespace topicscope
