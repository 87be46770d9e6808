#include "tests/bench/plainreader.h"

#include <QtEndian>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace topicscope::bench
{

using namespace Qt::StringLiterals;

namespace
{

// FETCH v1: i32 length, i16 key 1… all big-endian, as in core/booblik, but written here by hand so
// that nothing of what is measured is used.
QByteArray fetchRequest(const QByteArray &topic, qint64 offset, qint32 maxBytes)
{
    QByteArray request(4 + 2 + 2 + 4 + 2 + topic.size() + 4 + 8 + 4, '\0');
    char *p = request.data();
    const auto put = [&p](auto value) {
        qToBigEndian(value, p);
        p += sizeof(value);
    };
    put(qint32(request.size() - 4));
    put(qint16(2)); // FETCH
    put(qint16(1)); // version
    put(qint32(1)); // correlation id: one request at a time
    put(quint16(topic.size()));
    p = std::copy(topic.begin(), topic.end(), p);
    put(qint32(0)); // partition
    put(offset);
    put(maxBytes);
    return request;
}

bool readAll(int socket, char *into, size_t size)
{
    return ::recv(socket, into, size, MSG_WAITALL) == ssize_t(size);
}

Result<qint64> readFrom(int socket, const QByteArray &topic, qint32 maxBytes)
{
    const Error failure = Error::make(ErrorKind::Network, u"the plain reader lost its broker"_s);
    std::vector<char> answer(size_t(maxBytes) + 18);
    qint64 offset = 0;
    for (;;) {
        const QByteArray request = fetchRequest(topic, offset, maxBytes);
        if (::send(socket, request.data(), size_t(request.size()), MSG_NOSIGNAL) != request.size())
            return failure;
        char length[4];
        if (!readAll(socket, length, sizeof(length)))
            return failure;
        const auto size = size_t(qFromBigEndian<qint32>(length));
        if (size < 18 || size > answer.size() || !readAll(socket, answer.data(), size))
            return failure;
        // i32 correlation id, i16 error, i64 high watermark, i32 payload size, payload
        qint64 records = 0;
        for (size_t at = 18; size - at >= 8; ++records) {
            const auto body = size_t(qFromBigEndian<qint32>(answer.data() + at));
            if (body == 0 || body > size - at - 8)
                break;
            at += 8 + body;
        }
        if (records == 0)
            return offset;
        offset += records;
    }
}

} // namespace

Result<qint64> readPlainly(const SessionConfig &config, const QByteArray &topic, qint32 maxBytes)
{
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(config.port);
    inet_pton(AF_INET, config.host.toLatin1().constData(), &address.sin_addr);
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    Result<qint64> records = Error::make(ErrorKind::Network, u"cannot connect plainly"_s);
    if (::connect(socket, reinterpret_cast<const sockaddr *>(&address), sizeof(address)) == 0)
        records = readFrom(socket, topic, maxBytes);
    ::close(socket);
    return records;
}

} // namespace topicscope::bench
