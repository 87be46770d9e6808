#pragma once

#include "core/session/groups.h"

#include <QAbstractTableModel>
#include <QHash>

namespace topicscope::ui
{

/// How far one group has come, partition by partition. Thread: GUI.
class GroupOffsetModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        PartitionColumn,
        CommittedColumn,
        EndColumn,
        LagColumn,
        NoteColumn, ///< who reads it; or that it is gone, or why something is not known
        ColumnCount,
    };
    enum Role : int {
        SortRole = Qt::UserRole + 1, ///< QString or qint64; -1 where nothing is known
        TroubleRole,                 ///< bool: gone, or something could not be read
    };

    explicit GroupOffsetModel(QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(GroupOffsetModel)

    void setGroup(const GroupInfo &group);
    void clear() { setGroup({}); }

    const GroupOffset &offset(int row) const { return m_rows.at(row); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const GroupOffset &row, int column) const;
    QString note(const GroupOffset &row) const;
    QVariant sortKey(const GroupOffset &row, int rowNumber, int column) const;
    QString toolTip(const GroupOffset &row, int column) const;

    QList<GroupOffset> m_rows; ///< by topic and partition
    QHash<TopicPartition, QString> m_readers;
};

} // namespace topicscope::ui
