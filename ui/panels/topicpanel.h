#pragma once

#include "core/session/topicinfo.h"
#include "ui/models/topictreemodel.h"

#include <QTimer>
#include <QWidget>

class QAction;
class QLineEdit;
class QMenu;

namespace topicscope::ui
{

class TopicFilter;
class TopicTreeView;

/// The tree of connections, topics and partitions with its filter box. Changes nothing by itself:
/// what the user wants comes out as signals. Thread: GUI.
class TopicPanel final : public QWidget
{
    Q_OBJECT
public:
    /// `model` must outlive the panel.
    explicit TopicPanel(TopicTreeModel *model, QWidget *parent = nullptr);

    /// Of the current row, or of the only connection there is.
    std::optional<ConnectionId> currentConnection() const;
    void select(ConnectionId connection, const TopicPartition &partition);
    void setFilter(const QString &text);
    /// Topics a broker keeps for itself; hidden unless set.
    void setShowsInternal(bool shows);
    bool showsInternal() const;
    /// Whether partitions have columns for log start offset and high watermark. nullopt: while a
    /// topic is open and names keep enough room.
    void setShowsOffsets(std::optional<bool> shows);
    void focusFilter();
    void focusTree();

    /// Widths and sorting of the columns.
    QByteArray saveColumns() const;
    void restoreColumns(const QByteArray &state);

signals:
    /// Enter or a double click: open it. nullopt: the whole topic.
    void partitionActivated(topicscope::ui::ConnectionId connection,
                            const topicscope::TopicInfo &topic,
                            std::optional<topicscope::PartitionId> partition);
    /// Open it and ask for the offset.
    void openAtRequested(topicscope::ui::ConnectionId connection,
                         const topicscope::TopicInfo &topic,
                         std::optional<topicscope::PartitionId> partition);
    /// The user selected it and has not gone on for a moment: show it, but leave the focus here.
    /// nullopt: the whole topic.
    void partitionSettled(topicscope::ui::ConnectionId connection,
                          const topicscope::TopicInfo &topic,
                          std::optional<topicscope::PartitionId> partition);
    /// The current row is in this topic now.
    void topicSelected(topicscope::ui::ConnectionId connection, const QString &topic);
    /// Offsets of these topics are shown, or would be if they were known: the ones in view first.
    void offsetsWanted(topicscope::ui::ConnectionId connection, const QStringList &topics);
    void connectionSelected(topicscope::ui::ConnectionId connection);
    void retryRequested(topicscope::ui::ConnectionId connection);
    void closeRequested(topicscope::ui::ConnectionId connection);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void onOpened(const QModelIndex &proxyIndex);
    void onCurrentChanged(const QModelIndex &proxyIndex);
    void onSettled();
    void onContextMenu(const QPoint &position);
    void updateRetryButtons();
    void lookForWanted();
    void look();
    void updateOffsets();
    bool hasRoomForOffsets() const;
    void updateReplicas();
    QModelIndex current() const; ///< in the model, not the proxy

    TopicTreeModel *m_model;
    TopicFilter *m_proxy;
    QLineEdit *m_filter;
    TopicTreeView *m_tree;
    std::optional<bool> m_showsOffsets;
    bool m_rowsGoing = false; ///< rows are being removed: the view chooses another current one
    QAction *m_internal;      ///< whether internal topics are shown
    QTimer m_settled{this};   ///< since a topic or partition was selected
    QTimer m_look{this};      ///< rows came, went or were scrolled: whose offsets are wanted?
};

} // namespace topicscope::ui
