#pragma once

#include "core/session/groups.h"

#include <QAbstractTableModel>

namespace topicscope::ui
{

/// A group's state as it is shown.
QString groupStateText(GroupState state);

/// The consumer groups of a connection. Members and lag are known of those that were described.
/// Thread: GUI.
class GroupListModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { GroupColumn, StateColumn, MembersColumn, LagColumn, ColumnCount };
    enum Role : int {
        SortRole = Qt::UserRole + 1, ///< QString or qint64; -1 where nothing is known
    };

    explicit GroupListModel(QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(GroupListModel)

    /// Takes the place of what was listed before, numbers included.
    void setGroups(const QList<GroupSummary> &groups);
    /// Nothing when the group is not listed.
    void setDescribed(const GroupInfo &group);

    const QString &idAt(int row) const { return m_rows.at(row).summary.id; }
    int rowOf(const QString &id) const; ///< -1: not listed

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        GroupSummary summary;
        std::optional<qint64> members;
        std::optional<qint64> lag;
    };

    QString text(const Row &row, int column) const;

    QList<Row> m_rows;
};

} // namespace topicscope::ui
