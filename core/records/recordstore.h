#pragma once

#include "core/records/recordchunk.h"

#include <QHash>

#include <deque>
#include <optional>

namespace topicscope
{

/// What a row stands for.
enum class RowKind {
    Record,
    Oversized,       ///< the record is larger than max bytes and was not fetched
    Unreadable,      ///< the broker answers with nothing although it says there are records
    ImpossibleSize,  ///< the record's size field is damaged
    BelowLogStart,   ///< removed by retention while we looked
    Hole,            ///< the broker says it has no such offsets, between log start and its end
    NoRecords,       ///< offsets that carry no records: compacted, deleted, or control records
    Aborted,         ///< records of aborted transactions, left out by a committed read
    NotCommitted,    ///< one of those two, left out by a committed read
    UnreadableBatch, ///< a batch that is damaged or cannot be unpacked
    NotExported,     ///< left out of a record file when it was written
    Refused,         ///< the broker refuses to be asked for them; the other partitions are shown
};

/// Consecutive rows of one partition: records of one chunk, or one row saying why there are none.
struct RecordBlock {
    PartitionId partition;
    Offset first; ///< offset of the first row
    Offset end;   ///< first offset behind the block
    RowKind kind = RowKind::Record;
    qint64 noteBytes = 0; ///< Oversized, ImpossibleSize: the record's size field; 0 = unknown
    QString noteReason; ///< UnreadableBatch: what the library says; NotExported: the file; Refused:
                        ///< the refusal
    RecordChunkPtr chunk; ///< kind Record only
    /// What this block answers for of the chunk's memory, where several blocks share it.
    qint64 chunkBytes = 0;
    int firstIndex = 0; ///< index in the chunk of the first row's record
    int rows = 1;

    /// All records of the chunk. Precondition: not empty.
    static RecordBlock records(RecordChunkPtr chunk);
    static RecordBlock note(RowKind kind, PartitionId partition, Offset first, Offset end,
                            qint64 bytes = 0);
    /// The rows with from <= offset < to; rows 0 when there are none.
    RecordBlock trimmed(Offset from, Offset to) const;
    /// Memory this block keeps alive, in bytes.
    qint64 heldBytes() const;
};

/// One row, looked up: the block it is in and, for records, the record. Valid until the next
/// change.
struct RowRef {
    const RecordBlock *block = nullptr;
    const Record *record = nullptr; ///< null unless block->kind is Record
    int index = -1;                 ///< of the record in block->chunk

    Offset offset() const { return record ? record->offset : block->first; }
};

/// A window onto one or several partitions: blocks in display order, growing and shrinking at both
/// ends. The blocks of each partition are in offset order and without holes between them, so what
/// is held of a partition is one range.
///
/// Rows are numbered absolutely: a row keeps its number while rows come and go at either end; only
/// differences and order mean something. firstRow() <= row < endRow().
///
/// Holds no limit itself: overBudget() tells, the owner evicts (whole blocks, at the end it
/// chooses). Thread: confined to its owner's.
class RecordStore
{
public:
    static constexpr qint64 kDefaultByteBudget = qint64(32) * 1024 * 1024;
    static constexpr qint64 kDefaultRowBudget = 250'000;

    qint64 firstRow() const { return m_blocks.empty() ? 0 : m_blocks.front().firstRow; }
    qint64 endRow() const;
    qint64 rowCount() const { return endRow() - firstRow(); }
    bool isEmpty() const { return m_blocks.empty(); }

    /// Precondition: firstRow() <= row < endRow().
    RowRef at(qint64 row) const;
    /// The row showing this offset (for a note: covering it).
    std::optional<qint64> find(PartitionId partition, Offset offset) const;

    /// Offsets held of one partition, [first, end).
    struct Range {
        Offset first;
        Offset end;
        int blocks = 0;
        bool operator==(const Range &) const = default;
    };
    std::optional<Range> range(PartitionId partition) const;

    void append(RecordBlock block);
    void prepend(RecordBlock block);
    void clear();
    /// Puts one record (or another note) in the place of a note. Precondition: `row` is a note and
    /// the new block has one row.
    void replaceNote(qint64 row, RecordBlock block);

    void setByteBudget(qint64 bytes) { m_byteBudget = bytes; }
    qint64 byteBudget() const { return m_byteBudget; }
    void setRowBudget(qint64 rows) { m_rowBudget = rows; }
    qint64 heldBytes() const { return m_heldBytes; }
    bool overBudget() const { return m_heldBytes > m_byteBudget || rowCount() > m_rowBudget; }

    /// Rows that would have to go at this end for the budget to hold: whole blocks, never the last
    /// one, and none at or beyond row `keep`.
    qint64 rowsToEvictFront(qint64 keep) const;
    qint64 rowsToEvictBack(qint64 keep) const;
    /// Removes whole blocks. Precondition: as many rows as rowsToEvict…() said.
    void removeFront(qint64 rows);
    void removeBack(qint64 rows);

private:
    struct Placed {
        RecordBlock block;
        qint64 firstRow = 0;
    };

    std::deque<Placed>::const_iterator placeOf(qint64 row) const;
    void hold(const RecordBlock &block);
    void release(const RecordBlock &block, bool atFront);

    std::deque<Placed> m_blocks;
    QHash<qint32, Range> m_ranges; ///< by partition number
    qint64 m_heldBytes = 0;
    qint64 m_byteBudget = kDefaultByteBudget;
    qint64 m_rowBudget = kDefaultRowBudget;
};

} // namespace topicscope
