#include "core/base/bytewriter.h"
#include "core/booblik/frame.h"
#include "core/booblik/requestcodec.h"
#include "core/booblik/responsecodec.h"
#include "core/broker/brokerserver.h"

#include <algorithm>
#include <limits>

namespace topicscope::broker
{

using booblik::wire::ErrorCode;
using booblik::wire::FetchRequest;

namespace
{
/// More would not fit the answer's length field.
constexpr qint32 kMaxPayloadBytes =
    std::numeric_limits<qint32>::max() - booblik::wire::kFetchResponseOverhead;
} // namespace

/// FETCH v1 and v2. An offset out of range is answered at once. With a wait and too few bytes the
/// request is held: nothing behind it on its connection is served until it is answered.
void BrokerServer::fetch(BrokerConnection &connection, qint32 correlationId, qint16 version,
                         std::span<const std::byte> body)
{
    auto request = booblik::decodeFetchRequest(body, version);
    if (!request) {
        answerError(connection, correlationId, ErrorCode::CorruptRequest);
        return;
    }
    request->maxBytes = std::min(request->maxBytes, kMaxPayloadBytes);
    if (connection.peerHasFinished() || m_stopping)
        request->maxWaitMillis = 0;
    Partition *partition = find(request->topicName, request->partitionId);
    if (!partition) {
        answerError(connection, correlationId, ErrorCode::UnknownTopicOrPartition);
        return;
    }
    answerOrHold(connection, *partition, *request, correlationId);
}

void BrokerServer::answerOrHold(BrokerConnection &connection, Partition &partition,
                                const FetchRequest &request, qint32 correlationId)
{
    if (!writeLog(partition) && connection.isClosed())
        return;
    const auto slice = partition.log->read(Offset{request.fetchOffset}, request.maxBytes);
    if (!slice) {
        // There is no error code for a failing disk.
        emit warning(describe(slice.error()));
        connection.abort();
        return;
    }
    if (!*slice) {
        answerError(connection, correlationId, ErrorCode::OffsetOutOfRange);
        return;
    }
    const qint64 missing = std::max(request.minBytes, 1) - (*slice)->bytesToEndOfLog;
    if (request.maxWaitMillis > 0 && missing > 0)
        holdFetch(connection, partition, request, correlationId, missing);
    else
        sendSlice(connection, partition, correlationId, **slice);
}

void BrokerServer::sendSlice(BrokerConnection &connection, const Partition &partition,
                             qint32 correlationId, const LogSlice &slice)
{
    ByteWriter header(booblik::wire::kFetchResponseOverhead + 4);
    header.i32(booblik::wire::kFetchResponseOverhead + qint32(slice.bytes));
    header.i32(correlationId);
    header.i16(0);
    header.bytes(
        booblik::encodeFetchBodyHeader(partition.log->endOffset().value, qint32(slice.bytes)));
    connection.send(header.take());
    connection.sendFile(slice.file, slice.position, slice.bytes);
    ++m_statistics.fetches;
    m_statistics.fetchedBytes += slice.bytes;
}

void BrokerServer::holdFetch(BrokerConnection &connection, Partition &partition,
                             const FetchRequest &request, qint32 correlationId, qint64 missingBytes)
{
    Hold hold;
    hold.partition = &partition;
    hold.request = request;
    hold.correlationId = correlationId;
    hold.wakeAt = partition.log->appendedBytes() + missingBytes;
    hold.timer = std::make_unique<QTimer>();
    hold.timer->setSingleShot(true);
    hold.timer->setTimerType(Qt::PreciseTimer); // a coarse one may end early
    connect(hold.timer.get(), &QTimer::timeout, this, [this, &connection] { endHold(connection); });
    hold.timer->start(std::min(request.maxWaitMillis, booblik::wire::kMaxHoldMs));
    m_holds.insert_or_assign(&connection, std::move(hold));
    partition.waiting.push_back(&connection);
    connection.hold();
    ++m_statistics.held;
}

/// Answers a held FETCH with what is there now.
void BrokerServer::endHold(BrokerConnection &connection)
{
    const auto found = m_holds.find(&connection);
    Partition &partition = *found->second.partition;
    FetchRequest request = found->second.request;
    const qint32 correlationId = found->second.correlationId;
    dropHold(connection);
    connection.release();
    request.maxWaitMillis = 0;
    answerOrHold(connection, partition, request, correlationId);
}

void BrokerServer::dropHold(BrokerConnection &connection)
{
    const auto found = m_holds.find(&connection);
    // This may run in the timer's own signal: stopped now, deleted later, and with this object at
    // the latest.
    QTimer *timer = found->second.timer.release();
    timer->stop();
    timer->setParent(this);
    timer->deleteLater();
    std::erase(found->second.partition->waiting, &connection);
    m_holds.erase(found);
    --m_statistics.held;
}

/// Answers the held FETCHes of a partition that have enough now, or whose offset is gone.
void BrokerServer::wake(Partition &partition)
{
    const std::vector<BrokerConnection *> waiting = partition.waiting;
    for (BrokerConnection *connection : waiting) {
        const auto hold = m_holds.find(connection);
        if (hold == m_holds.end()) // closed meanwhile
            continue;
        if (partition.log->appendedBytes() >= hold->second.wakeAt ||
            Offset{hold->second.request.fetchOffset} < partition.log->startOffset()) {
            endHold(*connection);
            connection->proceed();
        }
    }
}

} // namespace topicscope::broker
