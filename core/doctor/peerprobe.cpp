#include "core/doctor/peerprobe.h"

#include "core/base/bytereader.h"
#include "core/base/bytewriter.h"

#include <QSslSocket>

namespace topicscope::doctor
{

namespace
{

constexpr qint16 kApiVersions = 18;
constexpr qint16 kSaslHandshake = 17;
constexpr qint32 kCorrelationId = 0x746f7069; // "topi": nothing that answers by chance has it
constexpr qsizetype kMaxAnswer = 65'536;
constexpr qsizetype kShownBytes = 16;
constexpr qint16 kUnsupportedMechanism = 33;
constexpr qint16 kIllegalSaslState = 34;

QByteArray request(qint16 key, qint16 version, const QByteArray &body)
{
    const QByteArray client = QByteArrayLiteral("topicscope");
    ByteWriter out;
    out.i32(qint32(10 + client.size() + body.size()));
    out.i16(key);
    out.i16(version);
    out.i32(kCorrelationId);
    out.i16(qint16(client.size()));
    out.bytes(client);
    out.bytes(body);
    return out.take();
}

/// The length a whole answer has with its length field; 0 while that is not known or absurd.
qsizetype announced(const QByteArray &bytes)
{
    ByteReader in(asBytes(bytes));
    const qint32 length = in.i32();
    return in.ok() && length >= 6 && length <= kMaxAnswer - 4 ? qsizetype(length) + 4 : 0;
}

/// Sends, and reads until a whole frame is there, the peer hangs up, it is clear that no frame will
/// come, or the time is over.
Result<QByteArray> exchange(QSslSocket &socket, const QByteArray &question,
                            std::chrono::milliseconds patience, const CallContext &context)
{
    const CallContext limited = context.within(patience);
    socket.setReadBufferSize(kMaxAnswer); // whatever is streamed at us
    socket.write(question);
    QByteArray answer;
    for (;;) {
        socket.waitForReadyRead(int(limited.slice().count()));
        answer += socket.read(kMaxAnswer - answer.size());
        const qsizetype whole = announced(answer);
        if (whole > 0 && answer.size() >= whole)
            return answer.first(whole);
        const bool noFrame = answer.size() >= 4 && whole == 0;
        const bool ended =
            socket.state() != QAbstractSocket::ConnectedState && socket.bytesAvailable() == 0;
        if (noFrame || ended)
            return answer;
        if (const auto interruption = limited.interruption()) {
            if (context.stop.stop_requested())
                return *interruption;
            return answer;
        }
    }
}

QString textOf(std::span<const std::byte> bytes)
{
    return QString::fromUtf8(reinterpret_cast<const char *>(bytes.data()), qsizetype(bytes.size()));
}

bool isTlsRecord(const QByteArray &bytes)
{
    // RFC 8446, 5.1: content type (21 alert, 22 handshake), then version 3.x.
    return bytes.size() >= 3 && (bytes[0] == 21 || bytes[0] == 22) && bytes[1] == 3;
}

} // namespace

Result<Peer> askWhoItIs(QSslSocket &socket, std::chrono::milliseconds patience,
                        const CallContext &context)
{
    const auto answer = exchange(socket, request(kApiVersions, 0, {}), patience, context);
    if (!answer)
        return answer.error();
    Peer peer;
    peer.firstBytes = answer->first(std::min(answer->size(), kShownBytes));
    if (answer->isEmpty()) {
        peer.kind = socket.state() == QAbstractSocket::ConnectedState ? Peer::Kind::Silent
                                                                      : Peer::Kind::Closed;
        return peer;
    }
    ByteReader in(asBytes(*answer));
    const qint32 length = in.i32();
    const qint32 correlationId = in.i32();
    const qint16 code = in.i16();
    if (in.ok() && correlationId == kCorrelationId) {
        const bool isRefusal = length == 6 && code > 0;
        peer.kind = isRefusal ? Peer::Kind::Booblik : Peer::Kind::Kafka;
    } else if (answer->startsWith("HTTP/")) {
        peer.kind = Peer::Kind::Http;
    } else if (isTlsRecord(*answer)) {
        peer.kind = Peer::Kind::Tls;
    }
    return peer;
}

Result<std::optional<LoginWish>> askForLogin(QSslSocket &socket, const QString &mechanism,
                                             std::chrono::milliseconds patience,
                                             const CallContext &context)
{
    const QByteArray name = mechanism.toUtf8();
    ByteWriter body;
    body.i16(qint16(name.size()));
    body.bytes(name);
    const auto answer =
        exchange(socket, request(kSaslHandshake, 1, body.take()), patience, context);
    if (!answer)
        return answer.error();
    ByteReader in(asBytes(*answer));
    in.i32();
    const qint32 correlationId = in.i32();
    const qint16 code = in.i16();
    if (!in.ok() || correlationId != kCorrelationId)
        return std::optional<LoginWish>();
    LoginWish wish;
    wish.wanted = code != kIllegalSaslState;
    if (code == 0) {
        wish.mechanisms = {mechanism};
    } else if (code == kUnsupportedMechanism) {
        const qint32 count = in.count(2);
        for (qint32 i = 0; i < count && in.ok(); ++i)
            wish.mechanisms << textOf(in.bytes(in.i16()));
    }
    return std::optional(wish);
}

} // namespace topicscope::doctor
