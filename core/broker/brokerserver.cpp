#include "core/broker/brokerserver.h"

#include "core/base/bytewriter.h"
#include "core/booblik/frame.h"
#include "core/records/recordcodec.h"
#include "core/segments/logdirectory.h"
#include "core/segments/posixfile.h"

#include <QDir>
#include <QHostInfo>

#include <algorithm>
#include <cerrno>
#include <sys/resource.h>
#include <sys/socket.h>
#include <utility>

namespace topicscope::broker
{

using namespace Qt::StringLiterals;
using booblik::wire::ApiKey;
using booblik::wire::ErrorCode;

namespace
{

constexpr int kBacklog = 1024;
constexpr size_t kScratchBytes = 256 << 10;
constexpr int kAcceptRetryMs = 100;
constexpr size_t kReservedDescriptors = 64;
constexpr size_t kDescriptorsPerPartition = 2; ///< the active segment, and one being read
constexpr size_t kFewestConnections = 16;
constexpr double kMebibyte = 1024.0 * 1024.0;

QString orNull(const std::optional<qint64> &value)
{
    return value ? QString::number(*value) : u"null"_s;
}

QString orNull(const std::optional<std::chrono::milliseconds> &value)
{
    return value ? QString::number(value->count()) : u"null"_s;
}

/// So many connections leave enough descriptors for the partitions' files: one that cannot begin a
/// new segment fails.
size_t connectionLimit(size_t partitions)
{
    struct rlimit limit = {};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return kFewestConnections;
    const size_t reserved = kReservedDescriptors + kDescriptorsPerPartition * partitions;
    return std::max(size_t(limit.rlim_cur), reserved + kFewestConnections) - reserved;
}

Result<QHostAddress> resolve(const QString &name)
{
    QHostAddress address;
    if (address.setAddress(name))
        return address;
    const QHostInfo info = QHostInfo::fromName(name);
    if (info.addresses().isEmpty())
        return Error::make(ErrorKind::Network, info.errorString(), {{}, {}, {}, name, {}});
    return info.addresses().constFirst();
}

} // namespace

BrokerServer::BrokerServer(BrokerConfig config, QObject *parent)
    : QObject(parent)
    , m_config(std::move(config))
    , m_listener(this)
    , m_scratch(kScratchBytes)
    , m_flushTimer(this)
    , m_retentionTimer(this)
    , m_metricsTimer(this)
{
    m_flushTimer.setSingleShot(true);
    connect(&m_flushTimer, &QTimer::timeout, this, [this] {
        forEachPartition([this](Partition &p) {
            if (p.log->unsyncedRecords() == 0 || p.log->hasFailed())
                return;
            ++m_statistics.barriers;
            if (auto synced = p.log->sync(); !synced) {
                failPartition(p, synced.error());
                if (!p.log->hasFailed())
                    m_flushTimer.start(*m_config.flushEvery);
            }
        });
    });
    connect(&m_retentionTimer, &QTimer::timeout, this, &BrokerServer::retain);
    connect(&m_metricsTimer, &QTimer::timeout, this, &BrokerServer::printMetrics);
}

BrokerServer::~BrokerServer()
{
    stop();
}

Result<quint16> BrokerServer::start()
{
    emit message(u"booblik starting"_s);
    QStringList topics;
    for (const TopicConfig &topic : std::as_const(m_config.topics))
        topics << u"%1:%2"_s.arg(topic.name, QString::number(topic.partitions));
    const bool mapped = m_config.segmentMode == SegmentMode::Mapped;
    emit message(
        u"  data.dir=%1 port=%2"_s.arg(m_config.dataDirectory, QString::number(m_config.port)));
    emit message(u"  topics=%1"_s.arg(topics.join(u',')));
    emit message(u"  segment: mode=%1 capacity=%2 index.interval=%3"_s.arg(
        mapped ? u"MAPPED"_s : u"FILE_CHANNEL"_s, QString::number(m_config.segmentCapacityBytes),
        QString::number(m_config.indexIntervalBytes)));
    emit message(u"  flush: everyRecords=%1 everyMillis=%2"_s.arg(
        orNull(m_config.flushEveryRecords), orNull(m_config.flushEvery)));
    emit message(u"  retention: bytes=%1 millis=%2 check=%3"_s.arg(
        orNull(m_config.retentionBytes), orNull(m_config.retentionAge),
        QString::number(m_config.retentionCheck.count())));
    emit message(u"  net: metrics.interval=%1"_s.arg(m_config.metricsInterval.count()));

    if (auto locked = lockDirectory(); !locked)
        return locked.error();
    if (auto opened = openLogs(); !opened)
        return opened.error();
    auto port = listen();
    if (!port)
        return port.error();
    printStart(*port);
    m_retentionTimer.start(m_config.retentionCheck);
    if (m_config.metricsInterval.count() > 0)
        m_metricsTimer.start(m_config.metricsInterval);
    return port;
}

Result<void> BrokerServer::lockDirectory()
{
    const QDir dir(m_config.dataDirectory);
    if (!dir.mkpath(u"."_s)) {
        return Error::make(ErrorKind::Io, u"the data directory cannot be created"_s,
                           {{}, {}, {}, dir.absolutePath(), {}});
    }
    if (auto synced = syncDirectory(dir.filePath(u".."_s)); !synced)
        return synced.error();
    auto lock = DirectoryLock::take(dir.absolutePath());
    if (!lock)
        return lock.error();
    m_lock = std::move(lock).value();
    return {};
}

Result<void> BrokerServer::openLogs()
{
    const QDir dir(m_config.dataDirectory);
    PartitionLog::Options options;
    options.capacityBytes = m_config.segmentCapacityBytes;
    options.indexIntervalBytes = m_config.indexIntervalBytes;
    options.presized = m_config.segmentMode == SegmentMode::Mapped;
    for (const TopicConfig &config : std::as_const(m_config.topics)) {
        Topic topic;
        for (qint32 id = 0; id < config.partitions; ++id) {
            const TopicPartition partition{config.name, PartitionId{id}};
            const QString name = partitionDirectoryName(partition);
            QStringList warnings;
            auto log = PartitionLog::open(partition, dir.filePath(name),
                                          dir.filePath(u".removed/"_s + name), options, &warnings);
            for (const QString &line : std::as_const(warnings))
                emit warning(line);
            if (!log)
                return log.error();
            Partition entry;
            entry.log = std::move(log).value();
            topic.push_back(std::move(entry));
        }
        m_topics.emplace(config.name, std::move(topic));
    }
    return {};
}

Result<quint16> BrokerServer::listen()
{
    const auto address = resolve(m_config.bindAddress);
    if (!address)
        return address.error();
    m_listener.setListenBacklogSize(kBacklog);
    if (!m_listener.listen(*address, m_config.port)) {
        return Error::make(
            ErrorKind::Network, m_listener.errorString(),
            {{}, {}, {}, u"%1:%2"_s.arg(m_config.bindAddress).arg(m_config.port), {}});
    }
    // QTcpServer takes a second error for the first one, and so spins when descriptors run out:
    // it has bound the socket and does no more.
    m_listener.pauseAccepting();
    size_t partitions = 0;
    forEachPartition([&](const Partition &) { ++partitions; });
    m_connectionLimit = connectionLimit(partitions);
    m_acceptable =
        std::make_unique<QSocketNotifier>(m_listener.socketDescriptor(), QSocketNotifier::Read);
    connect(m_acceptable.get(), &QSocketNotifier::activated, this, &BrokerServer::acceptAll);
    return m_listener.serverPort();
}

void BrokerServer::printStart(quint16 port)
{
    const QHostAddress address = m_listener.serverAddress();
    const bool bracketed = address.protocol() != QAbstractSocket::IPv4Protocol;
    emit message(u"booblik listening on /%1:%2"_s.arg(
        bracketed ? u"[%1]"_s.arg(address.toString()) : address.toString(), QString::number(port)));
    forEachPartition([this](const Partition &p) {
        emit message(u"  %1: offsets %2..%3, %4 segment(s), %5 bytes"_s.arg(
            partitionDirectoryName(p.log->partition()), QString::number(p.log->startOffset().value),
            QString::number(p.log->endOffset().value), QString::number(p.log->segmentCount()),
            QString::number(p.log->logBytes())));
    });
}

void BrokerServer::acceptAll()
{
    for (;;) {
        if (m_connections.size() >= m_connectionLimit) {
            pauseAccepting(u"%1 connections are open"_s.arg(m_connections.size()));
            return;
        }
        const int descriptor = accept(int(m_listener.socketDescriptor()), nullptr, nullptr);
        if (descriptor < 0) {
            if (errno == EINTR || errno == ECONNABORTED)
                continue;
            if (errno != EAGAIN && errno != EWOULDBLOCK)
                pauseAccepting(qt_error_string(errno));
            return;
        }
        m_acceptWarned = false;
        ConnectionOwner &owner = *this;
        auto connection = std::make_unique<BrokerConnection>(descriptor, owner, m_scratch, nullptr);
        BrokerConnection *key = connection.get();
        m_connections.emplace(key, std::move(connection));
        ++m_statistics.connections;
    }
}

/// New connections wait in the system's queue meanwhile.
void BrokerServer::pauseAccepting(const QString &why)
{
    m_acceptable->setEnabled(false);
    if (!std::exchange(m_acceptWarned, true))
        emit warning(u"accepting no further connection for now: %1"_s.arg(why));
    QTimer::singleShot(kAcceptRetryMs, m_acceptable.get(),
                       [notifier = m_acceptable.get()] { notifier->setEnabled(true); });
}

void BrokerServer::onFrame(BrokerConnection &connection, std::span<const std::byte> frame)
{
    const auto header = booblik::decodeRequestHeader(frame);
    if (!header) {
        answerError(connection, 0, ErrorCode::CorruptRequest);
        return;
    }
    const auto body = frame.subspan(size_t(booblik::wire::kRequestHeaderBytes));
    const qint16 version = header->apiVersion;
    if (header->apiKey == qint16(ApiKey::Produce) && version == 1)
        produce(connection, header->correlationId, body);
    else if (header->apiKey == qint16(ApiKey::Fetch) && (version == 1 || version == 2))
        fetch(connection, header->correlationId, version, body);
    else if (header->apiKey == qint16(ApiKey::Metadata) && version == 1)
        metadata(connection, header->correlationId, body);
    else
        answerError(connection, header->correlationId, ErrorCode::UnsupportedVersion);
}

void BrokerServer::answerError(BrokerConnection &connection, qint32 correlationId, ErrorCode code)
{
    ++m_statistics.errors;
    connection.send(booblik::encodeResponseFrame(correlationId, qint16(code), {}));
}

void BrokerServer::onActivity(BrokerConnection &connection)
{
    m_active.insert(&connection);
    scheduleTurn();
}

void BrokerServer::onPeerFinished(BrokerConnection &connection)
{
    if (connection.isHeld())
        endHold(connection);
}

void BrokerServer::onClosed(BrokerConnection &connection, bool inRequest)
{
    if (connection.isHeld())
        dropHold(connection);
    m_active.remove(&connection);
    for (Partition *p : m_touched)
        std::erase(p->producers, &connection);
    const auto found = m_connections.find(&connection);
    m_closed.push_back(std::move(found->second));
    m_connections.erase(found);
    --m_statistics.connections;
    m_statistics.dropped += inRequest ? 1 : 0;
    scheduleTurn();
}

void BrokerServer::touch(Partition &partition)
{
    if (partition.touched)
        return;
    partition.touched = true;
    m_touched.push_back(&partition);
    scheduleTurn();
}

void BrokerServer::scheduleTurn()
{
    if (std::exchange(m_turnScheduled, true))
        return;
    // Posted, so that everything this turn of the event loop has to read is read first.
    QMetaObject::invokeMethod(this, &BrokerServer::endTurn, Qt::QueuedConnection);
}

void BrokerServer::endTurn()
{
    m_turnScheduled = false;
    const QSet<BrokerConnection *> active = m_active;
    for (BrokerConnection *connection : active) {
        if (m_active.contains(connection)) // not closed by one before it
            connection->proceed();
    }
    // Waking a held FETCH lets what is queued behind it go on, which may append again.
    while (!m_touched.empty()) {
        const std::vector<Partition *> touched = std::exchange(m_touched, {});
        for (Partition *partition : touched)
            commit(*partition);
    }
    flushAll();
    m_closed.clear();
}

/// Everything appended in this turn is written, and made durable if anybody asked for it, before
/// anybody is answered.
void BrokerServer::commit(Partition &partition)
{
    partition.touched = false;
    PartitionLog &log = *partition.log;
    if (!writeLog(partition))
        return;
    const bool manyUnsynced =
        m_config.flushEveryRecords && log.unsyncedRecords() >= *m_config.flushEveryRecords;
    if (partition.barrierWanted || manyUnsynced) {
        ++m_statistics.barriers;
        if (auto synced = log.sync(); !synced) {
            failPartition(partition, synced.error());
            return;
        }
    } else if (m_config.flushEvery && !m_flushTimer.isActive()) {
        m_flushTimer.start(*m_config.flushEvery);
    }
    partition.barrierWanted = false;
    partition.producers.clear();
    wake(partition);
}

bool BrokerServer::writeLog(Partition &partition)
{
    if (auto written = partition.log->write(); !written) {
        failPartition(partition, written.error());
        return false;
    }
    return true;
}

void BrokerServer::warnAbout(const Partition &partition, const Error &error)
{
    const QString effect = partition.log->hasFailed()
                               ? u"%1 takes no more records until a restart: %2"_s
                               : u"%1 refused records; the next ones are tried again: %2"_s;
    emit warning(effect.arg(partitionDirectoryName(partition.log->partition()), describe(error)));
}

/// Nothing of this turn is acknowledged; the clients that wait for it are told in the only way
/// there is.
void BrokerServer::failPartition(Partition &partition, const Error &error)
{
    warnAbout(partition, error);
    partition.barrierWanted = false;
    const auto producers = std::exchange(partition.producers, {});
    for (BrokerConnection *connection : producers) {
        if (!connection->isClosed())
            connection->abort();
    }
}

void BrokerServer::flushAll()
{
    const QSet<BrokerConnection *> active = std::exchange(m_active, {});
    for (BrokerConnection *connection : active)
        connection->flush();
}

BrokerServer::Partition *BrokerServer::find(const QString &topic, qint32 partition)
{
    const auto found = m_topics.find(topic);
    if (found == m_topics.end() || size_t(partition) >= found->second.size())
        return nullptr;
    return &found->second[size_t(partition)];
}

Result<Offset> BrokerServer::append(const TopicPartition &partition, const QByteArray &body)
{
    Partition *target = find(partition.topic, partition.partition.value);
    const ErrorPlace where = {partition.topic, partition.partition, {}, {}, {}};
    if (!target)
        return Error::make(ErrorKind::InvalidArgument, u"no such partition"_s, where);
    if (body.isEmpty() || body.size() + kRecordHeaderBytes > target->log->capacityBytes()) {
        return Error::make(ErrorKind::InvalidArgument,
                           u"a record of %1 bytes cannot be stored"_s.arg(body.size()), where);
    }
    if (target->log->hasFailed())
        return Error::make(ErrorKind::Io, u"the partition failed earlier"_s, where);
    ByteWriter framed(body.size() + 4);
    framed.i32(qint32(body.size()));
    framed.bytes(body);
    auto offset = target->log->append(asBytes(framed.take()), 1);
    if (offset) {
        ++m_statistics.records;
        m_statistics.recordBytes += body.size();
        touch(*target);
    } else if (target->log->hasFailed()) {
        failPartition(*target, offset.error());
    }
    return offset;
}

void BrokerServer::retain()
{
    int removed = 0;
    forEachPartition([&](Partition &p) {
        if (!m_config.retentionBytes && !m_config.retentionAge)
            return;
        const int count = p.log->applyRetention(m_config.retentionBytes, m_config.retentionAge,
                                                QDateTime::currentDateTimeUtc());
        removed += count;
        if (count > 0)
            wake(p);
    });
    if (removed > 0)
        emit message(u"booblik: retention removed %1 segment(s)"_s.arg(removed));
}

void BrokerServer::printMetrics()
{
    const BrokerStatistics &now = m_statistics;
    const BrokerStatistics then = std::exchange(m_lastPrinted, now);
    const double seconds = double(m_config.metricsInterval.count()) / 1000.0;
    const auto rate = [&](qint64 a, qint64 b) {
        return QString::number(double(a - b) / seconds, 'f', 0);
    };
    const auto mebibytes = [&](qint64 a, qint64 b) {
        return QString::number(double(a - b) / seconds / kMebibyte, 'f', 1);
    };
    emit message(u"booblik: in %1 rec/s, %2 MiB/s | produce %3/s fetch %4/s (%5 MiB/s) | "_s.arg(
                     rate(now.records, then.records), mebibytes(now.recordBytes, then.recordBytes),
                     rate(now.produces, then.produces), rate(now.fetches, then.fetches),
                     mebibytes(now.fetchedBytes, then.fetchedBytes)) +
                 u"conns %1 backlog 0 errors %2 dropped %3 held %4"_s.arg(
                     QString::number(now.connections), QString::number(now.errors),
                     QString::number(now.dropped), QString::number(now.held)));
}

void BrokerServer::stop()
{
    if (std::exchange(m_stopping, true))
        return;
    if (m_acceptable)
        acceptAll(); // who has connected already is served, too
    m_acceptable.reset();
    m_listener.close();
    m_flushTimer.stop();
    m_retentionTimer.stop();
    m_metricsTimer.stop();
    // And what has been sent already.
    std::vector<BrokerConnection *> connections;
    for (const auto &[connection, owned] : m_connections)
        connections.push_back(connection);
    for (BrokerConnection *connection : connections)
        connection->readOnce();
    while (!m_holds.empty())
        endHold(*m_holds.begin()->first);
    endTurn();
    forEachPartition([this](Partition &p) {
        if (p.log->hasFailed())
            return;
        if (auto synced = p.log->sync(); !synced)
            failPartition(p, synced.error());
    });
    m_active.clear();
    m_touched.clear();
    m_connections.clear();
    m_closed.clear();
    m_topics.clear();
    m_lock.reset();
}

} // namespace topicscope::broker
