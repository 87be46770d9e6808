#include "core/booblik/rangereader.h"

#include "core/base/logging.h"

namespace topicscope::booblik
{

RangeReader::RangeReader(Connection &connection, TopicPartition partition, Offset from,
                         ReadOptions options)
    : m_connection(connection)
    , m_partition(std::move(partition))
    , m_options(options)
    , m_position(from)
{
}

FetchRequest RangeReader::requestAt(Offset offset) const
{
    return {m_partition, offset, m_options.maxBytes, m_options.maxWait, m_options.minBytes};
}

void RangeReader::seek(Offset offset)
{
    if (isAsking() && m_asked->offset != offset) {
        m_connection.close(); // the answer under way would be taken for the next one
        m_asked.reset();
    }
    m_position = offset;
}

Result<void> RangeReader::ask(const CallContext &context)
{
    if (isAsking())
        return {};
    m_asked.reset();
    auto sent = m_connection.send(toWire(requestAt(m_position)), context);
    if (!sent)
        return std::move(sent).error();
    m_asked = Asked{m_position, m_connection.epoch()};
    return {};
}

Result<FetchResult> RangeReader::next(const CallContext &context)
{
    if (auto asked = ask(context); !asked)
        return std::move(asked).error();
    auto answer = m_connection.receive(context);
    m_asked.reset();
    if (!answer)
        return std::move(answer).error();
    return take(std::move(answer).value(), context);
}

Result<std::optional<FetchResult>> RangeReader::tryNext(const CallContext &context)
{
    auto answer = m_connection.tryReceive();
    if (answer && !*answer)
        return std::optional<FetchResult>();
    m_asked.reset();
    if (!answer)
        return std::move(answer).error();
    auto result = take(*std::move(answer).value(), context);
    if (!result)
        return std::move(result).error();
    return std::optional(std::move(result).value());
}

Result<FetchResult> RangeReader::take(Answer answer, const CallContext &context)
{
    const FetchRequest request = requestAt(m_position);
    const auto scanned = scanAnswer(answer, request);
    if (!scanned)
        return m_connection.drop(scanned.error());
    m_position = scanned->nextOffset;
    const bool ahead = m_options.ahead == ReadOptions::Ahead::Always ||
                       (m_options.ahead == ReadOptions::Ahead::BelowWatermark &&
                        m_position.value < scanned->header.highWatermark);
    if (ahead && scanned->goesOn) {
        // A failure costs nothing here: the next call asks again and reports it.
        if (auto asked = ask(context); !asked)
            qCDebug(lcBooblik) << "asking ahead:" << describe(asked.error());
    }
    FetchResult result = toFetchResult(request, *scanned, std::move(answer));
    seek(result.nextOffset); // elsewhere only when a damaged size led astray
    return result;
}

} // namespace topicscope::booblik
