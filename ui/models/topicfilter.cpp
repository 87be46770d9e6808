#include "ui/models/topicfilter.h"

#include "ui/models/topictreemodel.h"

namespace topicscope::ui
{

using NodeKind = TopicTreeModel::NodeKind;

namespace
{

NodeKind kindOf(const QModelIndex &index)
{
    return index.data(TopicTreeModel::NodeKindRole).value<NodeKind>();
}

} // namespace

TopicFilter::TopicFilter(QObject *parent)
    : QSortFilterProxyModel(parent)
{
    setFilterCaseSensitivity(Qt::CaseInsensitive);
    setFilterKeyColumn(TopicTreeModel::NameColumn);
    setSortRole(TopicTreeModel::SortRole);
}

void TopicFilter::setShowsInternal(bool shows)
{
    if (shows == m_showsInternal)
        return;
    m_showsInternal = shows;
    invalidateFilter();
}

bool TopicFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    switch (kindOf(index)) {
    case NodeKind::Connection:
    case NodeKind::Broker:
        return true;
    case NodeKind::Brokers:
        return filterRegularExpression().pattern().isEmpty();
    case NodeKind::Topic:
        return (m_showsInternal || !index.data(TopicTreeModel::InternalRole).toBool()) &&
               QSortFilterProxyModel::filterAcceptsRow(row, parent);
    case NodeKind::Partition:
        return true; // shown below its topic only
    }
    return true;
}

bool TopicFilter::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const bool ascending = sortOrder() == Qt::AscendingOrder;
    const NodeKind kind = kindOf(left);
    if (kind == NodeKind::Connection)
        return (left.row() < right.row()) == ascending;
    if (kind == NodeKind::Brokers || kindOf(right) == NodeKind::Brokers)
        return (kind == NodeKind::Brokers) == ascending;
    return QSortFilterProxyModel::lessThan(left, right);
}

} // namespace topicscope::ui
