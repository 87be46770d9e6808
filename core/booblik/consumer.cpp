#include "core/booblik/consumer.h"

namespace topicscope::booblik
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

bool isOutOfRange(const Error &error)
{
    return error.kind == ErrorKind::Broker &&
           error.brokerCode == qint16(wire::ErrorCode::OffsetOutOfRange);
}

/// An answer with which poll() cannot get on, as an error.
std::optional<Error> obstacle(const FetchResult &result, const ReadOptions &options,
                              const QString &endpoint)
{
    const ErrorPlace where{
        result.partition.topic, result.partition.partition, result.nextOffset, endpoint, {}};
    if (!result.chunk->isEmpty())
        return std::nullopt; // its records first; the obstacle comes again
    switch (result.end) {
    case FetchEnd::More:
    case FetchEnd::CaughtUp:
        return std::nullopt;
    case FetchEnd::RecordExceedsMaxBytes: {
        Error error = Error::make(ErrorKind::RecordExceedsMaxBytes, {}, where);
        error.recordBytes = result.endRecordBytes;
        error.limitBytes = options.maxBytes;
        return error;
    }
    case FetchEnd::EmptyBelowHighWatermark:
        return Error::make(
            ErrorKind::Protocol,
            u"an empty answer although the high watermark is %1: the log is damaged"_s.arg(
                result.highWatermark.value),
            where);
    case FetchEnd::ImpossibleSize:
        return Error::make(
            ErrorKind::Protocol,
            u"a record size of %1 cannot be: the log is damaged"_s.arg(result.endRecordBytes),
            where);
    }
    return std::nullopt;
}

} // namespace

ReadOptions Consumer::defaultOptions()
{
    ReadOptions options;
    options.maxWait = 5s;
    return options;
}

Consumer::Consumer(SessionConfig config, TopicPartition partition, StartPosition start,
                   ReadOptions options)
    : m_connection(std::move(config))
    , m_reader(m_connection, std::move(partition), Offset{}, options)
{
    seek(start);
}

void Consumer::seek(StartPosition position)
{
    m_start = position;
    if (const Offset *offset = std::get_if<Offset>(&m_start))
        m_reader.seek(*offset);
}

std::optional<Offset> Consumer::position() const
{
    if (std::holds_alternative<Offset>(m_start))
        return m_reader.position();
    return std::nullopt;
}

qint64 Consumer::lag() const
{
    const auto at = position();
    return at ? lagOf(*at, m_highWatermark) : 0;
}

Result<PartitionInfo> Consumer::partitionInfo(const CallContext &context)
{
    const TopicPartition &partition = m_reader.partition();
    if (m_reader.isAsking())
        m_connection.close(); // an answer under way would come first
    TopicHandle topic(partition.topic, PartitionAlgorithm::BooblikFnv1a);
    if (auto refreshed = topic.refresh(m_connection, context); !refreshed)
        return std::move(refreshed).error();
    if (const PartitionInfo *info = topic.find(partition.partition))
        return *info;
    return Error::make(
        ErrorKind::InvalidArgument,
        u"there is no such partition: the topic has %1"_s.arg(topic.partitions().size()),
        {partition.topic, partition.partition, {}, m_connection.config().endpoint(), {}});
}

Result<void> Consumer::lookUpStart(const CallContext &context)
{
    const auto info = partitionInfo(context);
    if (!info)
        return info.error();
    m_reader.seek(std::holds_alternative<Earliest>(m_start) ? info->logStartOffset
                                                            : info->highWatermark);
    return {};
}

Result<FetchResult> Consumer::poll(const CallContext &context)
{
    const bool atStart = !std::holds_alternative<Offset>(m_start);
    if (atStart) {
        if (auto lookedUp = lookUpStart(context); !lookedUp)
            return std::move(lookedUp).error();
    }
    auto result = m_reader.next(context);
    if (!result && isOutOfRange(result.error())) {
        // From the earliest, retention may have been faster than we: once more from where the log
        // starts now. Anywhere else, skipping records is not ours to decide.
        const bool retry = std::holds_alternative<Earliest>(m_start);
        const auto info = partitionInfo(context);
        if (info && retry && info->logStartOffset > m_reader.position()) {
            m_reader.seek(info->logStartOffset);
            result = m_reader.next(context);
        } else if (info) {
            Error error = std::move(result).error();
            error.detail = explainOutOfRange(m_reader.position(), *info);
            return error;
        }
    }
    if (!result)
        return result;
    m_start = m_reader.position();
    if (auto error = obstacle(*result, m_reader.options(), m_connection.config().endpoint()))
        return *std::move(error);
    m_highWatermark = result->highWatermark;
    return result;
}

} // namespace topicscope::booblik
