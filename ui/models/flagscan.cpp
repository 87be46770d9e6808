#include "ui/models/flagscan.h"

#include <algorithm>

namespace topicscope::ui
{

using namespace Qt::StringLiterals;

namespace
{

/// Backwards, a log is read in pieces of this many offsets.
constexpr qint64 kWindowOffsets = 8192;

} // namespace

FlagScan::FlagScan(SessionHandle *session, QObject *parent)
    : QObject(parent)
    , m_session(session)
{
    connect(session, &SessionHandle::fetched, this, &FlagScan::onFetched);
    connect(session, &SessionHandle::fetchFailed, this, &FlagScan::onFetchFailed);
    connect(session, &SessionHandle::fetchFinished, this, &FlagScan::onFetchFinished);
    connect(session, &SessionHandle::topicsDescribed, this, &FlagScan::onTopicsDescribed);
    connect(session, &SessionHandle::failed, this, &FlagScan::onFailed);
}

void FlagScan::start(std::vector<Range> ranges, Direction direction, qint32 maxBytes, Wanted wanted)
{
    cancel();
    m_wanted = std::move(wanted);
    m_foundChunk.reset();
    m_ranges.assign(ranges.rbegin(), ranges.rend());
    m_direction = direction;
    m_maxBytes = maxBytes;
    m_scanned = 0;
    nextRange();
}

void FlagScan::cancel()
{
    const RequestId request = std::exchange(m_request, {});
    if (request && !m_outOfRange) // a listing may be somebody else's, too
        m_session->cancel(request);
    m_outOfRange.reset();
}

void FlagScan::nextRange()
{
    while (!m_ranges.empty() && m_ranges.back().from >= m_ranges.back().to)
        m_ranges.pop_back();
    if (m_ranges.empty()) {
        m_request = {};
        emit finishedWithout();
        return;
    }
    m_range = m_ranges.back();
    m_ranges.pop_back();
    nextWindow();
}

void FlagScan::nextWindow()
{
    m_windowEnd = m_range.to;
    m_next = m_direction == Direction::Forward
                 ? m_range.from
                 : std::max(m_range.from, m_range.to + -kWindowOffsets);
    m_found.reset();
    m_error.reset();
    if (m_direction == Direction::Backward)
        m_range.to = m_next; // what is left for the next window
    fetch();
}

void FlagScan::fetch()
{
    FetchRequest request;
    request.partition = m_range.partition;
    request.offset = m_next;
    request.maxBytes = m_maxBytes;
    request.isolation = m_isolation;
    m_request = m_session->fetch({request});
}

void FlagScan::flag(Offset offset)
{
    if (offset < m_windowEnd && (m_direction == Direction::Backward || !m_found))
        m_found = offset;
}

void FlagScan::flagUnreadable(Offset offset)
{
    if (!m_wanted)
        flag(offset);
}

void FlagScan::onFetched(RequestId id, const FetchResult &result)
{
    if (id != m_request || !m_request)
        return;
    forEachRow(
        result,
        [this, &result](const Record &record) {
            const bool isIt = m_wanted ? m_wanted(*result.chunk, record)
                                       : record.flags.testFlag(RecordFlag::ChecksumMismatch);
            if (!isIt)
                return true;
            flag(record.offset);
            if (m_found == record.offset)
                m_foundChunk = result.chunk;
            return true;
        },
        [this](const OffsetGap &gap) {
            if (gap.kind == OffsetGap::Kind::Unreadable)
                flagUnreadable(gap.first);
            return true;
        });
    const Offset before = m_next;
    m_next = result.nextOffset;
    if (result.end == FetchEnd::CaughtUp) {
        m_next = m_windowEnd;
    } else if (result.end == FetchEnd::RecordExceedsMaxBytes) {
        flagUnreadable(m_next);
        m_next = m_next + 1;
    } else if (result.end != FetchEnd::More) {
        flagUnreadable(m_next);
        m_next = m_windowEnd; // what is behind the damage is not looked at
    }
    m_scanned += std::min(m_next, m_windowEnd) - before;
    emit progressed();
}

void FlagScan::onFetchFailed(RequestId id, const TopicPartition & /*partition*/, const Error &error)
{
    if (id != m_request || !m_request)
        return;
    if (error.kind == ErrorKind::Broker && error.brokerName == u"OFFSET_OUT_OF_RANGE"_s) {
        m_outOfRange = error;
    } else {
        m_error = error;
    }
}

void FlagScan::onFetchFinished(RequestId id)
{
    if (id != m_request || !m_request)
        return;
    if (m_outOfRange)
        m_request = m_session->describeTopics(
            {m_range.partition.topic}); // a hole, or does the log begin elsewhere now?
    else
        goOn();
}

void FlagScan::onTopicsDescribed(RequestId id, const TopicList &topics)
{
    if (id != m_request || !m_outOfRange)
        return;
    const Error error = *std::exchange(m_outOfRange, {});
    const auto topic = std::ranges::find(topics, m_range.partition.topic, &TopicInfo::name);
    const PartitionInfo *partition = nullptr;
    if (topic != topics.end()) {
        const auto found =
            std::ranges::find(topic->partitions, m_range.partition.partition, &PartitionInfo::id);
        partition = found == topic->partitions.end() ? nullptr : &*found;
    }
    if (!partition) {
        m_error = error;
    } else if (m_next < partition->logStartOffset) {
        m_next = partition->logStartOffset;
        m_range.from = std::max(m_range.from, m_next);
    } else if (m_next > partition->highWatermark) {
        m_next = m_windowEnd; // the log was shortened
    } else {
        flagUnreadable(m_next);
        m_next = m_windowEnd; // what is behind the hole is not looked at
    }
    goOn();
}

void FlagScan::onFailed(RequestId id, const Error &error)
{
    if (id != m_request || !m_outOfRange)
        return;
    m_outOfRange.reset();
    m_error = error;
    goOn();
}

void FlagScan::goOn()
{
    const bool windowDone = m_next >= m_windowEnd;
    const bool foundFirst = m_found && m_direction == Direction::Forward;
    if (m_error) {
        m_request = {};
        emit failed(*m_error);
    } else if (foundFirst || (m_found && windowDone)) {
        m_request = {};
        emit found(m_range.partition, *m_found);
    } else if (!windowDone) {
        fetch();
    } else if (m_direction == Direction::Backward && m_range.from < m_range.to) {
        nextWindow();
    } else {
        nextRange();
    }
}

} // namespace topicscope::ui
