#pragma once

#include "core/records/recordstore.h"
#include "core/search/filter.h"
#include "core/session/capabilities.h"
#include "ui/models/modelroles.h"
#include "ui/models/recordtext.h"

#include <QAbstractTableModel>
#include <QTimer>

#include <deque>
#include <vector>

namespace topicscope::ui
{

/// The rows of a RecordStore as a table. Columns follow what the engine can do: one it has not is
/// absent, not empty. Text is made on demand, from at most a few hundred bytes of a record.
///
/// With a filter, the rows are those that match; rows that cannot be looked into (larger than max
/// bytes, gaps, not decided in time) stay, since they might. The window is searched in slices of
/// the event loop.
///
/// Thread: GUI.
class RecordTableModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit RecordTableModel(QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(RecordTableModel)

    /// Forgets all rows and shows the columns for these capabilities.
    void reset(const Capabilities &capabilities, bool withPartition);
    void clear();
    /// One insertion at the end, whatever the number of blocks.
    void append(std::vector<RecordBlock> blocks);
    /// One insertion at the beginning; the blocks are in display order.
    void prepend(std::vector<RecordBlock> blocks);
    /// The record of an oversized row was fetched after all. False when the row is no longer there.
    bool replaceNote(RecordBlock block);
    /// Evicts whole blocks at one end until the budget holds, but never row `keep` and the rows on
    /// its other side.
    void evictFront(int keep);
    void evictBack(int keep);
    void setByteBudget(qint64 bytes) { m_store.setByteBudget(bytes); }

    /// How keys and values are written out, or that something else comes of it now. Rows stay.
    void setFormats(const RecordFormats &formats);
    const RecordFormats &formats() const { return m_formats; }

    const RecordStore &store() const { return m_store; }
    RecordColumn column(int section) const { return m_columns[size_t(section)]; }
    int section(RecordColumn column) const; ///< -1 when absent
    const std::vector<RecordColumn> &columns() const { return m_columns; }
    RowRef row(int row) const;
    RowState rowState(int row) const;
    int rowOf(PartitionId partition, Offset offset) const; ///< -1 when not among the rows
    int flaggedCount() const { return m_flagged; }
    /// The nearest flagged row after (step 1) or before (step -1) `row`; -1 when there is none.
    int nextFlagged(int row, int step) const;

    /// Nullopt: all rows.
    void setFilter(std::optional<search::Filter> filter);
    bool isFiltered() const { return m_filter.has_value(); }
    bool isFilterScanning() const
    {
        return isFiltered() && (m_store.firstRow() < m_scannedFrom || m_scanned < m_store.endRow());
    }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    /// Rows of the store came or went, or the filter looked at more of them.
    void windowChanged();

private:
    qint64 storeRow(int row) const;
    std::deque<qint64> matchesIn(qint64 begin, qint64 end) const;
    qint64 pieceRows(qint64 row, int step, qint64 most) const;
    void clampScanned();
    void scanSlice();
    int countIn(const std::vector<RecordBlock> &blocks);

    RecordStore m_store;
    std::vector<RecordColumn> m_columns;
    RecordFormats m_formats;
    int m_flagged = 0;
    std::optional<search::Filter> m_filter;
    std::deque<qint64> m_matches; ///< store rows shown, when filtered
    qint64 m_scannedFrom = 0;     ///< when filtered: store rows from here …
    qint64 m_scanned = 0;         ///< … to before this one were looked at
    QTimer m_scanTimer;
};

} // namespace topicscope::ui
