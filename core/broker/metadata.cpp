#include "core/base/bytereader.h"
#include "core/booblik/frame.h"
#include "core/booblik/responsecodec.h"
#include "core/booblik/topicname.h"
#include "core/broker/brokerserver.h"

#include <set>

namespace topicscope::broker
{

using namespace booblik;

/// METADATA v1. Names are looked up as they are read, so a frame full of them costs no memory.
void BrokerServer::metadata(BrokerConnection &connection, qint32 correlationId,
                            std::span<const std::byte> body)
{
    ByteReader in(body);
    const qint32 count = in.count(2);
    std::set<QString> wanted;
    bool unknown = false;
    for (qint32 i = 0; i < count && in.ok(); ++i) {
        const QString name = readTopicName(in);
        if (m_topics.contains(name))
            wanted.insert(name);
        else
            unknown = true;
    }
    if (!in.ok()) {
        answerError(connection, correlationId, wire::ErrorCode::CorruptRequest);
        return;
    }
    if (unknown) {
        answerError(connection, correlationId, wire::ErrorCode::UnknownTopicOrPartition);
        return;
    }
    wire::MetadataResponse response;
    for (auto &[name, topic] : m_topics) {
        if (count != 0 && !wanted.contains(name))
            continue;
        wire::MetadataTopic answer;
        answer.topicName = name;
        for (qint32 id = 0; id < qint32(topic.size()); ++id) {
            Partition &partition = topic[size_t(id)];
            if (!writeLog(partition) && connection.isClosed())
                return;
            answer.partitions.append(
                {id, partition.log->startOffset().value, partition.log->endOffset().value});
        }
        response.topics.append(answer);
    }
    connection.send(encodeResponseFrame(correlationId, 0, encodeBody(response)));
}

} // namespace topicscope::broker
