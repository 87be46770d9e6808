#include "core/base/bytewriter.h"
#include "core/booblik/frame.h"
#include "core/booblik/requestcodec.h"
#include "core/booblik/responsecodec.h"
#include "core/broker/brokerserver.h"
#include "core/records/recordcodec.h"

namespace topicscope::broker
{

using booblik::wire::ErrorCode;

namespace
{
constexpr qint8 kAckNone = 0;
constexpr qint8 kAckForced = 2;
} // namespace

/// PRODUCE v1: all or nothing is checked first, then appended. A success under NONE has no answer;
/// a refusal has one under every policy. The answer of the others leaves at the end of the turn,
/// when the records are written (WRITTEN) or durable (FORCED).
void BrokerServer::produce(BrokerConnection &connection, qint32 correlationId,
                           std::span<const std::byte> body)
{
    const auto request = booblik::decodeProduceView(body);
    if (!request) {
        answerError(connection, correlationId, ErrorCode::CorruptRequest);
        return;
    }
    Partition *partition = find(request->topicName, request->partitionId);
    if (!partition) {
        answerError(connection, correlationId, ErrorCode::UnknownTopicOrPartition);
        return;
    }
    if (request->largestRecord + kRecordHeaderBytes > partition->log->capacityBytes()) {
        answerError(connection, correlationId, ErrorCode::RecordTooLarge);
        return;
    }
    if (partition->log->hasFailed()) {
        connection.abort(); // there is no error code for a failed disk
        return;
    }
    touch(*partition);
    if (partition->producers.empty() || partition->producers.back() != &connection)
        partition->producers.push_back(&connection);
    const auto base = partition->log->append(request->records, request->recordCount);
    if (!base && partition->log->hasFailed()) {
        failPartition(*partition, base.error());
        return;
    }
    if (!base) { // what others appended in this turn is written, and answered
        warnAbout(*partition, base.error());
        connection.abort();
        return;
    }
    ++m_statistics.produces;
    m_statistics.records += request->recordCount;
    m_statistics.recordBytes += qint64(request->records.size()) - 4LL * request->recordCount;
    if (request->ackPolicy == kAckNone)
        return;
    partition->barrierWanted = partition->barrierWanted || request->ackPolicy == kAckForced;
    booblik::wire::ProduceResponse response;
    response.baseOffset = base->value;
    response.logEndOffset = base->value + request->recordCount;
    connection.send(booblik::encodeResponseFrame(correlationId, 0, booblik::encodeBody(response)));
}

} // namespace topicscope::broker
