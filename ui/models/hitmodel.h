#pragma once

#include "core/records/logmap.h"
#include "core/search/filter.h"
#include "core/search/hitlist.h"
#include "core/session/capabilities.h"
#include "ui/models/recordtext.h"

#include <QAbstractTableModel>
#include <QTimer>

#include <map>
#include <vector>

namespace topicscope::ui
{

/// What a search has found, in the order of partition and offset, whichever partition was faster.
/// Kept up to a number and a size, the first of them all; all are counted. Hits come in a few times
/// a second, however many there are.
/// Thread: GUI.
class HitModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    static constexpr qint64 kMaxHits = 100'000;
    static constexpr qint64 kMaxBytes = qint64(64) * 1024 * 1024;

    explicit HitModel(QObject *parent = nullptr, qint64 maxHits = kMaxHits,
                      qint64 maxBytes = kMaxBytes);
    Q_DISABLE_COPY_MOVE(HitModel)

    /// Forgets all and shows the columns an engine has; of long values the piece where `filter`
    /// found something.
    void reset(const Capabilities &capabilities, const RecordFormats &formats,
               std::optional<search::Filter> filter = {});
    /// Hits of the search's partition number `partition`; of one partition in offset order.
    void add(size_t partition, const RecordChunkPtr &hits);
    /// Those that wait, now.
    void flush();

    qint64 found() const { return m_limit.found(); }
    bool isCut() const { return m_limit.isCut(); }

    RecordColumn column(int section) const { return m_columns[size_t(section)]; }
    RowRef row(int row) const;
    TopicPartition partitionOf(int row) const;
    /// The nearest hit behind (step 1) or before (step -1) a place; -1: none.
    int nextRow(const TopicPartition &partition, Offset offset, int step) const;
    MarkedOffsets places() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    /// Hits came in or gave way.
    void hitsChanged();

private:
    /// Hits of one partition.
    struct Part {
        std::vector<RecordBlock> blocks;
        std::vector<int> ends; ///< rows up to the end of each block
        int firstRow = 0;

        int rows() const { return ends.empty() ? 0 : ends.back(); }
        RowRef at(int row) const;
    };

    void insert(size_t partition, const std::vector<RecordChunkPtr> &chunks);
    void removeLast(int rows);
    void renumber();
    QString valueText(const RowRef &row) const;
    int firstNotBefore(const TopicPartition &partition, Offset offset) const;

    search::HitList m_limit; ///< says which are kept
    qint64 m_maxHits;
    qint64 m_maxBytes;
    std::vector<RecordColumn> m_columns;
    RecordFormats m_formats;
    std::optional<search::Filter> m_filter;
    std::map<size_t, Part> m_parts;
    std::vector<const Part *> m_order; ///< those with rows
    std::map<size_t, std::vector<RecordChunkPtr>> m_waiting;
    QTimer m_delay;
};

} // namespace topicscope::ui
