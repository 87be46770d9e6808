#pragma once

#include <QSortFilterProxyModel>

namespace topicscope::ui
{

/// TopicTreeModel as it is shown: topics whose name contains the filter's text, with all their
/// partitions. Connections always stay, in the order they were opened; their brokers come first,
/// and only without a filter. Internal topics are left out unless wanted. Thread: GUI.
class TopicFilter final : public QSortFilterProxyModel
{
public:
    explicit TopicFilter(QObject *parent = nullptr);

    void setShowsInternal(bool shows);
    bool showsInternal() const { return m_showsInternal; }

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    bool m_showsInternal = false;
};

} // namespace topicscope::ui
