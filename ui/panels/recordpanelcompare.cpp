// What a RecordPanel hands on to be compared.

#include "ui/panels/recordpanel_p.h"
#include "ui/views/recordtableview.h"

#include <algorithm>

namespace topicscope::ui
{

namespace
{

bool hasKey(const RecordChunk &chunk, const Record &record, std::span<const std::byte> key)
{
    return record.flags.testFlag(RecordFlag::HasKey) && std::ranges::equal(chunk.key(record), key);
}

} // namespace

ComparedRecord RecordPanel::Private::compared(const RowRef &row) const
{
    if (!row.record)
        return {};
    return {row.block->chunk, row.index, session.capabilities(), model.formats()};
}

ComparedRecord RecordPanel::comparedRecord() const
{
    return d->compared(d->currentRow());
}

void RecordPanel::compareSelected()
{
    std::vector<ComparedRecord> chosen;
    for (const RowRef &row : d->selectedRows()) {
        if (row.record)
            chosen.push_back(d->compared(row));
    }
    if (chosen.size() == 2)
        emit compareRequested(chosen[0], chosen[1]);
    else
        d->say(tr("Two records have to be selected to be compared: Ctrl+click, or Shift with the "
                  "arrow keys."));
}

void RecordPanel::compareWithPrevious()
{
    const RowRef current = d->currentRow();
    if (!current.record || !current.record->flags.testFlag(RecordFlag::HasKey)) {
        d->say(tr("There is no key to look for."));
        return;
    }
    const ComparedRecord later = d->compared(current);
    const PartitionId partition = current.block->partition;
    const auto isIt = [later](const RecordChunk &chunk, const Record &record) {
        return hasKey(chunk, record, later.chunk->key(later.record()));
    };
    const RecordStore &store = d->model.store();
    const auto from = store.find(partition, current.record->offset);
    for (qint64 row = from.value_or(store.firstRow()) - 1; row >= store.firstRow(); --row) {
        const RowRef earlier = store.at(row);
        if (earlier.record && earlier.block->partition == partition &&
            isIt(*earlier.block->chunk, *earlier.record)) {
            emit compareRequested(d->compared(earlier), later);
            return;
        }
    }
    std::vector<FlagScan::Range> ranges = d->rangesOutside(FlagScan::Direction::Backward);
    std::erase_if(ranges, [&](const FlagScan::Range &range) {
        return range.partition.partition != partition;
    });
    if (ranges.empty()) {
        d->say(tr("No earlier record with this key, down to the log start."));
        return;
    }
    d->cancelLoading();
    d->withPrevious = later;
    d->scan.start(ranges, FlagScan::Direction::Backward, d->loader.maxBytes(), isIt);
    d->updateStatus();
}

void RecordPanel::markForComparison()
{
    if (const ComparedRecord record = comparedRecord(); record.chunk)
        emit markRequested(record);
}

void RecordPanel::compareWithMarked()
{
    if (const ComparedRecord record = comparedRecord(); record.chunk)
        emit compareWithMarkedRequested(record);
}

void RecordPanel::Private::onPreviousFound(const TopicPartition & /*where*/, Offset offset)
{
    say({});
    const RecordChunkPtr chunk = scan.foundChunk();
    const auto found = std::ranges::find(chunk->records(), offset, &Record::offset);
    if (found == chunk->records().end())
        return;
    const auto index = int(found - chunk->records().begin());
    emit q->compareRequested({chunk, index, session.capabilities(), model.formats()},
                             std::exchange(withPrevious, {}));
}

} // namespace topicscope::ui
