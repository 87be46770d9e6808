#pragma once

#include "app/cli/recordprinter.h"
#include "core/search/search.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <vector>

namespace topicscope::cli
{

/// Prints hits in the order of partition and offset while partitions are searched side by side.
/// Those of later partitions wait their turn, up to a size; then their search waits.
/// Thread: found() and ended() from any; the rest when none of them can come any more.
class HitPrinter final : public search::SearchObserver
{
public:
    /// @param limit  hits printed; all are counted
    /// @param stop   asked to when nobody reads the output any more
    HitPrinter(Output &out, RecordPrinter &printer, qint64 limit, size_t partitions,
               std::stop_source stop);

    void found(size_t partition, const RecordChunkPtr &hits) override;
    void ended(size_t partition) override;
    void progressed(const search::SearchProgress &progress) override;
    /// Called while nothing is printed, so it may write itself. Before the search.
    void onProgress(std::function<void(const search::SearchProgress &)> tell)
    {
        m_tell = std::move(tell);
    }

    /// What is left of partitions that did not end.
    void finish();
    qint64 printed() const { return m_printed; }

private:
    void print(const RecordChunk &hits);
    void printWaiting(size_t partition);

    Output &m_out;
    RecordPrinter &m_printer;
    qint64 m_limit;
    std::stop_source m_stop;
    std::function<void(const search::SearchProgress &)> m_tell;
    std::mutex m_mutex; ///< the rest, and the output
    std::condition_variable m_moved;
    size_t m_current = 0; ///< the partition whose turn it is: the first that has not ended
    std::vector<bool> m_ended;
    std::map<size_t, std::vector<RecordChunkPtr>> m_waiting;
    qint64 m_waitingBytes = 0;
    qint64 m_printed = 0;
};

} // namespace topicscope::cli
