#include "tests/support/hostilebroker.h"

#include "core/hash/crc32c.h"

#include <QHostAddress>
#include <QTcpServer>
#include <QtEndian>

#include <chrono>
#include <fcntl.h>
#include <future>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace topicscope::test
{

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace
{

constexpr auto kGiveUp = 10s;
constexpr int kSliceMs = 5;

/// Hands out descriptors instead of sockets, which belong to the thread that uses them.
class DescriptorServer final : public QTcpServer
{
public:
    std::vector<qintptr> accepted;

protected:
    void incomingConnection(qintptr descriptor) override { accepted.push_back(descriptor); }
};

template <typename T>
QByteArray bigEndian(T value)
{
    QByteArray bytes(sizeof(T), Qt::Uninitialized);
    qToBigEndian(value, bytes.data());
    return bytes;
}

template <typename T>
T take(QByteArray &bytes)
{
    const T value = qFromBigEndian<T>(bytes.constData());
    bytes.remove(0, sizeof(T));
    return value;
}

QByteArray takeBytes(QByteArray &bytes, qsizetype count)
{
    const QByteArray value = bytes.first(count);
    bytes.remove(0, count);
    return value;
}

} // namespace

HostileBroker::HostileBroker(Script script)
    : m_script(std::move(script))
{
    std::promise<quint16> port;
    auto listening = port.get_future();
    m_acceptor = std::jthread([this, &port](const std::stop_token &stop) {
        accept(stop, [&port](quint16 number) { port.set_value(number); });
    });
    m_port = listening.get();
}

HostileBroker::~HostileBroker() = default;

SessionConfig HostileBroker::config() const
{
    SessionConfig config;
    config.name = u"hostile"_s;
    config.host = u"127.0.0.1"_s;
    config.port = m_port;
    return config;
}

void HostileBroker::accept(const std::stop_token &stop,
                           const std::function<void(quint16)> &listening)
{
    DescriptorServer server;
    if (!server.listen(QHostAddress::LocalHost))
        qFatal("no port to listen on");
    listening(server.serverPort());
    std::vector<std::jthread> peers; // their destructors stop and join
    while (!stop.stop_requested()) {
        server.waitForNewConnection(kSliceMs);
        for (const qintptr descriptor : std::exchange(server.accepted, {})) {
            const int number = m_connections++;
            peers.emplace_back([this, descriptor, number](std::stop_token peerStop) {
                Peer peer(descriptor, number, std::move(peerStop));
                m_script(peer);
            });
        }
    }
    for (std::jthread &peer : peers)
        peer.request_stop();
}

HostileBroker::Peer::Peer(qintptr socket, int number, std::stop_token stop)
    : m_socket(int(socket))
    , m_number(number)
    , m_stop(std::move(stop))
{
}

HostileBroker::Peer::~Peer()
{
    ::close(m_socket);
}

bool HostileBroker::Peer::waitReadable()
{
    const auto end = std::chrono::steady_clock::now() + kGiveUp;
    while (!m_stop.stop_requested() && std::chrono::steady_clock::now() < end) {
        pollfd entry{m_socket, POLLIN, 0};
        if (::poll(&entry, 1, kSliceMs) > 0)
            return true;
    }
    return false;
}

std::optional<QByteArray> HostileBroker::Peer::readBytes(qsizetype count)
{
    QByteArray bytes(count, Qt::Uninitialized);
    qsizetype got = 0;
    while (got < count) {
        if (!waitReadable())
            return std::nullopt;
        const auto n = ::recv(m_socket, bytes.data() + got, size_t(count - got), MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EAGAIN))
            return std::nullopt;
        got += qMax<qsizetype>(n, 0);
    }
    return bytes;
}

std::optional<HostileBroker::Peer::Request> HostileBroker::Peer::read()
{
    const auto length = readBytes(4);
    if (!length)
        return std::nullopt;
    auto rest = readBytes(qFromBigEndian<qint32>(length->constData()));
    if (!rest)
        return std::nullopt;
    Request request;
    request.frame = *length + *rest;
    request.apiKey = take<qint16>(*rest);
    request.apiVersion = take<qint16>(*rest);
    request.correlationId = take<qint32>(*rest);
    request.body = *rest;
    return request;
}

bool HostileBroker::Peer::write(const QByteArray &bytes)
{
    qsizetype sent = 0;
    while (sent < bytes.size() && !m_stop.stop_requested()) {
        const auto n = ::send(m_socket, bytes.constData() + sent, size_t(bytes.size() - sent),
                              MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            sent += n;
            continue;
        }
        if (errno != EAGAIN)
            return false;
        pollfd entry{m_socket, POLLOUT, 0};
        ::poll(&entry, 1, kSliceMs);
    }
    return sent == bytes.size();
}

void HostileBroker::Peer::writeByByte(const QByteArray &bytes)
{
    for (const char byte : bytes) {
        if (!write(QByteArray(1, byte)))
            return;
        std::this_thread::yield();
    }
}

void HostileBroker::Peer::closeSending()
{
    ::shutdown(m_socket, SHUT_WR);
}

void HostileBroker::Peer::reset()
{
    const linger hard{1, 0};
    ::setsockopt(m_socket, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
}

bool HostileBroker::Peer::waitForEnd()
{
    char sink[4096];
    while (waitReadable()) {
        const auto n = ::recv(m_socket, sink, sizeof(sink), MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EAGAIN))
            return true;
    }
    return false;
}

QByteArray be16(qint16 value)
{
    return bigEndian(value);
}

QByteArray be32(qint32 value)
{
    return bigEndian(value);
}

QByteArray be64(qint64 value)
{
    return bigEndian(value);
}

QByteArray answer(qint32 correlationId, const QByteArray &body)
{
    return be32(qint32(6 + body.size())) + be32(correlationId) + be16(0) + body;
}

QByteArray refusal(qint32 correlationId, qint16 errorCode)
{
    return be32(6) + be32(correlationId) + be16(errorCode);
}

QByteArray fetchBody(qint64 highWatermark, const QByteArray &payload)
{
    return be64(highWatermark) + be32(qint32(payload.size())) + payload;
}

QByteArray produceBody(qint64 baseOffset, qint64 logEndOffset)
{
    return be64(baseOffset) + be64(logEndOffset);
}

QByteArray metadataBody(const QByteArray &topic, const QList<std::pair<qint64, qint64>> &partitions)
{
    QByteArray body =
        be32(1) + be16(qint16(topic.size())) + topic + be32(qint32(partitions.size()));
    for (qsizetype i = 0; i < partitions.size(); ++i)
        body += be32(qint32(i)) + be64(partitions.at(i).first) + be64(partitions.at(i).second);
    return body;
}

QByteArray storedRecord(const QByteArray &body, std::optional<quint32> crc)
{
    const auto bytes = std::as_bytes(std::span(body.constData(), size_t(body.size())));
    return be32(qint32(body.size())) + bigEndian(crc.value_or(crc32c(bytes))) + body;
}

MemoryLog::MemoryLog(std::map<QByteArray, int> topics)
{
    for (const auto &[name, partitions] : topics)
        m_topics[name].resize(size_t(partitions));
}

HostileBroker::Script MemoryLog::script()
{
    return [this](HostileBroker::Peer &peer) {
        while (const auto request = peer.read()) {
            qsizetype largest = m_largestFrame;
            while (largest < request->frame.size() &&
                   !m_largestFrame.compare_exchange_weak(largest, request->frame.size())) {
            }
            std::optional<QByteArray> bytes;
            if (intercept)
                bytes = intercept(*request);
            if (!bytes)
                bytes = handle(peer, *request);
            if (bytes && !peer.write(*bytes))
                return;
        }
    };
}

MemoryLog::Partition *MemoryLog::find(const QByteArray &topic, int partition)
{
    const auto found = m_topics.find(topic);
    if (found == m_topics.end() || partition < 0 || size_t(partition) >= found->second.size())
        return nullptr;
    return &found->second[size_t(partition)];
}

void MemoryLog::append(const QByteArray &topic, int partition, const QByteArray &record)
{
    const std::scoped_lock lock(m_mutex);
    find(topic, partition)->records.append(record);
    m_appended.notify_all();
}

QList<QByteArray> MemoryLog::records(const QByteArray &topic, int partition) const
{
    const std::scoped_lock lock(m_mutex);
    return m_topics.at(topic).at(size_t(partition)).records;
}

void MemoryLog::setLogStart(const QByteArray &topic, int partition, qint64 offset)
{
    const std::scoped_lock lock(m_mutex);
    find(topic, partition)->logStart = offset;
}

std::optional<QByteArray> MemoryLog::handle(const HostileBroker::Peer &peer,
                                            const HostileBroker::Peer::Request &request)
{
    QByteArray body = request.body;
    std::unique_lock lock(m_mutex);
    if (request.apiKey == 3) {
        const auto count = take<qint32>(body);
        std::map<QByteArray, const std::vector<Partition> *> asked;
        for (qint32 i = 0; i < count; ++i) {
            const auto name = takeBytes(body, take<qint16>(body));
            if (!m_topics.contains(name))
                return refusal(request.correlationId, 1);
            asked[name] = &m_topics.at(name);
        }
        if (count == 0) {
            for (const auto &[name, partitions] : m_topics)
                asked[name] = &partitions;
        }
        QByteArray out = be32(qint32(asked.size()));
        for (const auto &[name, partitions] : asked) {
            out += be16(qint16(name.size())) + name + be32(qint32(partitions->size()));
            for (size_t p = 0; p < partitions->size(); ++p) {
                const Partition &partition = (*partitions)[p];
                out += be32(qint32(p)) + be64(partition.logStart) + be64(partition.records.size());
            }
        }
        return answer(request.correlationId, out);
    }

    const QByteArray topic = takeBytes(body, take<qint16>(body));
    const auto id = take<qint32>(body);
    Partition *partition = find(topic, id);
    if (request.apiKey == 1) {
        ++m_produceRequests;
        const auto ack = take<qint8>(body);
        const auto count = take<qint32>(body);
        if (!partition)
            return refusal(request.correlationId, 1);
        const qint64 base = partition->records.size();
        for (qint32 i = 0; i < count; ++i)
            partition->records.append(takeBytes(body, take<qint32>(body)));
        m_appended.notify_all();
        if (ack == 0)
            return QByteArray();
        return answer(request.correlationId, produceBody(base, partition->records.size()));
    }

    ++m_fetchRequests;
    const auto offset = take<qint64>(body);
    const auto maxBytes = take<qint32>(body);
    const auto maxWait = std::chrono::milliseconds(take<qint32>(body));
    if (!partition)
        return refusal(request.correlationId, 1);
    const auto end = std::chrono::steady_clock::now() + maxWait;
    while (partition->records.size() <= offset && std::chrono::steady_clock::now() < end &&
           !peer.isEnding())
        m_appended.wait_for(lock, std::chrono::milliseconds(kSliceMs));
    if (offset < partition->logStart || offset > partition->records.size())
        return refusal(request.correlationId, 2);
    QByteArray payload;
    for (qint64 i = offset; i < partition->records.size() && payload.size() < maxBytes; ++i)
        payload += storedRecord(partition->records.at(i));
    payload.truncate(maxBytes);
    return answer(request.correlationId, fetchBody(partition->records.size(), payload));
}

} // namespace topicscope::test
