#include "app/cli/hitprinter.h"

#include "core/base/callcontext.h"

namespace topicscope::cli
{

namespace
{

constexpr qint64 kMaxWaitingBytes = qint64{64} * 1024 * 1024;

} // namespace

HitPrinter::HitPrinter(Output &out, RecordPrinter &printer, qint64 limit, size_t partitions,
                       std::stop_source stop)
    : m_out(out)
    , m_printer(printer)
    , m_limit(limit)
    , m_stop(std::move(stop))
    , m_ended(partitions)
{
}

void HitPrinter::found(size_t partition, const RecordChunkPtr &hits)
{
    std::unique_lock lock(m_mutex);
    // The partition whose turn it is never waits, so those behind it do not for ever.
    while (partition != m_current && m_waitingBytes >= kMaxWaitingBytes && !m_stop.stop_requested())
        m_moved.wait_for(lock, kWaitSlice);
    if (partition == m_current) {
        print(*hits);
        return;
    }
    m_waiting[partition].push_back(hits);
    m_waitingBytes += hits->heldBytes();
}

void HitPrinter::progressed(const search::SearchProgress &progress)
{
    const std::scoped_lock lock(m_mutex);
    if (m_tell)
        m_tell(progress);
}

void HitPrinter::ended(size_t partition)
{
    const std::scoped_lock lock(m_mutex);
    m_ended[partition] = true;
    while (m_current < m_ended.size() && m_ended[m_current])
        printWaiting(++m_current);
    m_moved.notify_all();
}

void HitPrinter::finish()
{
    const std::scoped_lock lock(m_mutex);
    while (!m_waiting.empty())
        printWaiting(m_waiting.begin()->first);
}

void HitPrinter::printWaiting(size_t partition)
{
    const auto waiting = m_waiting.extract(partition);
    if (waiting.empty())
        return;
    for (const RecordChunkPtr &hits : waiting.mapped()) {
        m_waitingBytes -= hits->heldBytes();
        print(*hits);
    }
}

void HitPrinter::print(const RecordChunk &hits)
{
    for (const Record &record : hits.records()) {
        if (m_printed == m_limit)
            return;
        m_printer.record(hits, record);
        ++m_printed;
    }
    if (!m_out.ok())
        m_stop.request_stop();
}

} // namespace topicscope::cli
