#pragma once

#include "core/search/ledger.h"

#include <QAbstractTableModel>

#include <vector>

namespace topicscope::ui
{

/// The account of a search: a row for each partition, and below it one for each range of offsets
/// that was not searched, with the reason.
/// Thread: GUI.
class LedgerModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { PartitionColumn, OffsetsColumn, SearchedColumn, HitsColumn, NoteColumn };
    enum Role : int {
        TroubleRole = Qt::UserRole + 1, ///< bool: something was not searched that could have been
    };

    explicit LedgerModel(QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(LedgerModel)

    void setLedger(const search::Ledger &ledger);
    const search::Ledger &ledger() const { return m_ledger; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        size_t partition;
        size_t range; ///< kWhole: the partition's own row

        bool operator==(const Row &) const = default;
    };
    static constexpr size_t kWhole = size_t(-1);

    QString text(const Row &row, int column) const;
    QString partitionText(const search::PartitionLedger &partition, int column) const;
    bool isTrouble(const Row &row) const;

    search::Ledger m_ledger;
    std::vector<Row> m_rows;
};

} // namespace topicscope::ui
