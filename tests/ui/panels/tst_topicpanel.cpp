#include "ui/panels/topicpanel.h"
#include "ui/views/topictreeview.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace topicscope;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

namespace
{

constexpr ConnectionId kLocal{1};

TopicList topics()
{
    const auto partition = [](qint32 id, qint64 highWatermark) {
        return PartitionInfo{PartitionId{id}, Offset{0}, Offset{highWatermark}, {}};
    };
    return {{u"clicks"_s, {partition(0, 7)}, {}},
            {u"orders"_s, {partition(0, 30), partition(1, 10)}, {}},
            {u"payments"_s, {partition(0, 1)}, {}}};
}

SessionConfig config()
{
    SessionConfig c;
    c.name = u"local"_s;
    return c;
}

} // namespace

class tst_TopicPanel : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void newConnectionIsExpandedToItsTopics();
    void enterOpensTopicOrPartition();
    void doubleClickOpens();
    void currentTopicIsAnnounced();
    void refreshKeepsSelectionExpansionAndFilter();
    void filterShowsMatchingTopicsWithAllTheirPartitions();
    void sortsByRecordsWithPartitionsInside();
    void contextMenuCopiesTheName();
    void lostConnectionOffersToRetry();
    void enterOnALostConnectionRetries();
    void vanishedRowOpensNoNeighbour();
    void offsetsInViewAreWanted();
    void sortedByOffsetsAllAreWanted();
    void internalTopicsAreShownWhenWanted();
    void replicasHaveAColumnWhereThereAreSome();
    void offsetsHaveColumnsWhereThereIsRoom();
    void chosenOffsetsBeatTheRoom();
    void retryIsOfferedInNarrowPanelsToo();

private:
    QModelIndex row(const QString &topic, int partition = -1) const;
    QStringList shownTopics() const;
    bool showsOffsets() const
    {
        return !m_tree->isColumnHidden(TopicTreeModel::LogStartColumn) &&
               !m_tree->isColumnHidden(TopicTreeModel::HighWatermarkColumn);
    }

    std::unique_ptr<TopicTreeModel> m_model;
    std::unique_ptr<TopicPanel> m_panel;
    TopicTreeView *m_tree = nullptr;
};

void tst_TopicPanel::init()
{
    // The offscreen platform says this of windows and menus.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
    m_model = std::make_unique<TopicTreeModel>();
    m_panel = std::make_unique<TopicPanel>(m_model.get());
    m_tree = m_panel->findChild<TopicTreeView *>(u"topicTree"_s);
    m_panel->resize(400, 500);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    m_model->addConnection(kLocal, config());
    m_model->setConnectionState(kLocal, ConnectionState::Connected);
    m_model->setTopics(kLocal, topics());
}

void tst_TopicPanel::cleanup()
{
    m_panel.reset();
    m_model.reset();
}

/// In the view's own model.
QModelIndex tst_TopicPanel::row(const QString &topic, int partition) const
{
    const QAbstractItemModel &shown = *m_tree->model();
    const QModelIndex connection = shown.index(0, 0);
    for (int i = 0; i < shown.rowCount(connection); ++i) {
        const QModelIndex index = shown.index(i, 0, connection);
        if (index.data().toString() != topic)
            continue;
        return partition < 0 ? index : shown.index(partition, 0, index);
    }
    return {};
}

QStringList tst_TopicPanel::shownTopics() const
{
    QStringList names;
    const QAbstractItemModel &shown = *m_tree->model();
    for (int i = 0; i < shown.rowCount(shown.index(0, 0)); ++i)
        names << shown.index(i, 0, shown.index(0, 0)).data().toString();
    return names;
}

void tst_TopicPanel::newConnectionIsExpandedToItsTopics()
{
    QVERIFY(m_tree->isExpanded(m_tree->model()->index(0, 0)));
    QVERIFY(!m_tree->isExpanded(row(u"orders"_s)));
    QCOMPARE(shownTopics(), QStringList({u"clicks"_s, u"orders"_s, u"payments"_s}));
}

void tst_TopicPanel::enterOpensTopicOrPartition()
{
    QSignalSpy activated(m_panel.get(), &TopicPanel::partitionActivated);
    m_tree->setCurrentIndex(row(u"orders"_s));
    QTest::keyClick(m_tree, Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated.at(0).at(0).value<ConnectionId>(), kLocal);
    QCOMPARE(activated.at(0).at(1).value<TopicInfo>().partitions.size(), 2);
    QVERIFY(!activated.at(0).at(2).value<std::optional<PartitionId>>().has_value());

    m_tree->setCurrentIndex(row(u"orders"_s, 1));
    QTest::keyClick(m_tree, Qt::Key_Enter);
    QCOMPARE(activated.count(), 2);
    QCOMPARE(activated.at(1).at(1).value<TopicInfo>().name, u"orders"_s);
    QCOMPARE(activated.at(1).at(2).value<std::optional<PartitionId>>(), PartitionId{1});
}

void tst_TopicPanel::doubleClickOpens()
{
    QSignalSpy activated(m_panel.get(), &TopicPanel::partitionActivated);
    const QPoint center = m_tree->visualRect(row(u"payments"_s)).center();
    QTest::mouseClick(m_tree->viewport(), Qt::LeftButton, {}, center);
    QTest::mouseDClick(m_tree->viewport(), Qt::LeftButton, {}, center);
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated.at(0).at(1).value<TopicInfo>().name, u"payments"_s);
}

void tst_TopicPanel::currentTopicIsAnnounced()
{
    QSignalSpy selected(m_panel.get(), &TopicPanel::topicSelected);
    m_tree->setCurrentIndex(row(u"orders"_s, 0));
    QCOMPARE(selected.count(), 1);
    QCOMPARE(selected.at(0).at(1).toString(), u"orders"_s);
}

void tst_TopicPanel::refreshKeepsSelectionExpansionAndFilter()
{
    m_tree->expand(row(u"orders"_s));
    m_tree->setCurrentIndex(row(u"orders"_s, 1));
    m_panel->setFilter(u"o"_s);
    QSignalSpy selected(m_panel.get(), &TopicPanel::topicSelected);

    TopicList next = topics();
    next[1].partitions[1].highWatermark = Offset{11};
    next.removeAt(0);
    next.append({u"audit.log"_s, {}, {}});
    m_model->setTopics(kLocal, next);

    QCOMPARE(shownTopics(), QStringList({u"audit.log"_s, u"orders"_s}));
    QVERIFY(m_tree->isExpanded(row(u"orders"_s)));
    QCOMPARE(m_tree->currentIndex().siblingAtColumn(0), row(u"orders"_s, 1));
    QVERIFY(m_tree->selectionModel()->isRowSelected(1, row(u"orders"_s)));
    QCOMPARE(selected.count(), 0);
}

void tst_TopicPanel::filterShowsMatchingTopicsWithAllTheirPartitions()
{
    auto *filter = m_panel->findChild<QLineEdit *>(u"topicFilter"_s);
    QTest::keyClicks(filter, u"ORD"_s);
    QCOMPARE(shownTopics(), QStringList(u"orders"_s));
    QCOMPARE(m_tree->model()->rowCount(row(u"orders"_s)), 2);
    filter->clear();
    QCOMPARE(shownTopics().size(), 3);
    QTest::keyClicks(filter, u"0"_s); // names of partitions are numbers, not what one looks for
    QCOMPARE(shownTopics(), QStringList());
    QCOMPARE(m_tree->model()->rowCount(), 1); // the connection stays
}

void tst_TopicPanel::sortsByRecordsWithPartitionsInside()
{
    m_tree->sortByColumn(TopicTreeModel::RecordsColumn, Qt::DescendingOrder);
    QCOMPARE(shownTopics(), QStringList({u"orders"_s, u"clicks"_s, u"payments"_s}));
    QCOMPARE(row(u"orders"_s, 0).data().toString(), u"0"_s); // 30 records before 10
    m_tree->sortByColumn(TopicTreeModel::RecordsColumn, Qt::AscendingOrder);
    QCOMPARE(row(u"orders"_s, 0).data().toString(), u"1"_s);
}

void tst_TopicPanel::contextMenuCopiesTheName()
{
    m_tree->expand(row(u"orders"_s));
    emit m_tree->customContextMenuRequested(m_tree->visualRect(row(u"orders"_s, 1)).center());
    auto *menu = m_panel->findChild<QMenu *>(u"topicMenu"_s);
    QVERIFY(menu);
    QSignalSpy openAt(m_panel.get(), &TopicPanel::openAtRequested);
    QCOMPARE(menu->actions().size(), 6); // and a line before the internal topics
    menu->actions().at(1)->trigger();
    QCOMPARE(openAt.count(), 1);
    QCOMPARE(openAt.at(0).at(2).value<std::optional<PartitionId>>(), PartitionId{1});
    menu->actions().at(3)->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), u"orders/1"_s);
    menu->close();
}

void tst_TopicPanel::lostConnectionOffersToRetry()
{
    QVERIFY(!m_panel->findChild<QToolButton *>(u"retryButton"_s));
    m_model->setConnectionState(kLocal, ConnectionState::Lost,
                                Error::make(ErrorKind::Network, u"refused"_s));
    auto *retry = m_panel->findChild<QToolButton *>(u"retryButton"_s);
    QVERIFY(retry);
    QSignalSpy retried(m_panel.get(), &TopicPanel::retryRequested);
    retry->click();
    QCOMPARE(retried.count(), 1);
    QCOMPARE(retried.at(0).at(0).value<ConnectionId>(), kLocal);
    m_model->setConnectionState(kLocal, ConnectionState::Connected);
    QTRY_VERIFY(!m_panel->findChild<QToolButton *>(u"retryButton"_s));
}

void tst_TopicPanel::enterOnALostConnectionRetries()
{
    m_model->setConnectionState(kLocal, ConnectionState::Lost,
                                Error::make(ErrorKind::Network, u"refused"_s));
    QSignalSpy retried(m_panel.get(), &TopicPanel::retryRequested);
    m_tree->setCurrentIndex(m_tree->model()->index(0, 0));
    QTest::keyClick(m_tree, Qt::Key_Return);
    QCOMPARE(retried.count(), 1);
}

void tst_TopicPanel::vanishedRowOpensNoNeighbour()
{
    auto *settled = m_panel->findChild<QTimer *>(u"settled"_s);
    QVERIFY(settled);
    m_tree->setFocus();
    QVERIFY(m_tree->hasFocus());
    m_tree->setCurrentIndex(row(u"orders"_s));
    QVERIFY(settled->isActive());
    QSignalSpy selected(m_panel.get(), &TopicPanel::topicSelected);
    TopicList next = topics();
    next.removeAt(1); // orders
    m_model->setTopics(kLocal, next);
    QVERIFY(!settled->isActive()); // what it was started for is gone
    QCOMPARE(selected.count(), 0);
    m_tree->setCurrentIndex(row(u"clicks"_s)); // and choosing works as before
    m_tree->setCurrentIndex(row(u"payments"_s));
    QVERIFY(settled->isActive());
    QVERIFY(selected.count() > 0);
}

namespace
{

TopicList manyWithoutOffsets(int count)
{
    TopicList list;
    for (int i = 0; i < count; ++i) {
        TopicInfo topic{u"t%1"_s.arg(1000 + i), {}, {}};
        for (qint32 id = 0; id < 4; ++id) {
            PartitionInfo partition;
            partition.id = PartitionId{id};
            partition.offsetsKnown = false;
            topic.partitions.append(partition);
        }
        list.append(topic);
    }
    return list;
}

} // namespace

void tst_TopicPanel::offsetsInViewAreWanted()
{
    QSignalSpy wanted(m_panel.get(), &TopicPanel::offsetsWanted);
    m_model->setTopics(kLocal, manyWithoutOffsets(1000));
    QVERIFY(wanted.wait());
    QStringList names = wanted.constLast().at(1).toStringList();
    QCOMPARE(names.constFirst(), u"t1000"_s);
    QVERIFY2(names.size() < 60, qPrintable(QString::number(names.size())));
    // Asked for: they are wanted no more, but those scrolled to are, and the current one.
    m_model->setOffsetsAsked(kLocal, names);
    wanted.clear();
    m_tree->setCurrentIndex(row(u"t1500"_s));
    m_tree->scrollToBottom();
    QVERIFY(wanted.wait());
    names = wanted.constLast().at(1).toStringList();
    QCOMPARE(names.constFirst(), u"t1500"_s);
    QCOMPARE(names.constLast(), u"t1999"_s);
    QVERIFY(names.size() < 60);
    // With a filter, what it leaves.
    m_model->setOffsetsAsked(kLocal, names);
    wanted.clear();
    m_panel->setFilter(u"t123"_s);
    QVERIFY(wanted.wait());
    names = wanted.constLast().at(1).toStringList();
    QCOMPARE(names.size(), 10);
    QVERIFY(names.contains(u"t1230"_s));
    // A new list wants those in view again.
    m_model->setOffsetsAsked(kLocal, names);
    wanted.clear();
    m_model->setTopics(kLocal, manyWithoutOffsets(1000));
    QVERIFY(wanted.wait());
    QVERIFY(wanted.constLast().at(1).toStringList().contains(u"t1239"_s));
}

void tst_TopicPanel::sortedByOffsetsAllAreWanted()
{
    QSignalSpy wanted(m_panel.get(), &TopicPanel::offsetsWanted);
    m_model->setTopics(kLocal, manyWithoutOffsets(200));
    m_tree->sortByColumn(TopicTreeModel::RecordsColumn, Qt::DescendingOrder);
    QVERIFY(wanted.wait());
    QCOMPARE(wanted.constLast().at(1).toStringList().size(), 200);
}

void tst_TopicPanel::internalTopicsAreShownWhenWanted()
{
    TopicList list = topics();
    list.append({u"__consumer_offsets"_s, {}, {}, true});
    m_model->setTopics(kLocal, list);
    QCOMPARE(shownTopics(), QStringList({u"clicks"_s, u"orders"_s, u"payments"_s}));
    auto *action = m_panel->findChild<QAction *>(u"showInternalTopics"_s);
    QVERIFY(action);
    action->trigger();
    QVERIFY(m_panel->showsInternal());
    QCOMPARE(shownTopics(),
             QStringList({u"__consumer_offsets"_s, u"clicks"_s, u"orders"_s, u"payments"_s}));
    m_panel->setShowsInternal(false);
    QVERIFY(!action->isChecked());
    QCOMPARE(shownTopics().size(), 3);
}

void tst_TopicPanel::replicasHaveAColumnWhereThereAreSome()
{
    QVERIFY(m_tree->isColumnHidden(TopicTreeModel::ReplicasColumn));
    m_model->setCluster(kLocal, {u"abc"_s, 1, {{1, u"one.example"_s, 9092}}});
    QVERIFY(m_tree->isColumnHidden(TopicTreeModel::ReplicasColumn)); // always the same there
    m_model->setCluster(kLocal,
                        {u"abc"_s, 1, {{1, u"one.example"_s, 9092}, {2, u"two.example"_s, 9092}}});
    QVERIFY(!m_tree->isColumnHidden(TopicTreeModel::ReplicasColumn));
    QCOMPARE(shownTopics().constFirst(), u"Brokers"_s);
    QVERIFY(!m_tree->isExpanded(row(u"Brokers"_s)));
    m_tree->sortByColumn(TopicTreeModel::NameColumn, Qt::DescendingOrder);
    QCOMPARE(shownTopics(), QStringList({u"Brokers"_s, u"payments"_s, u"orders"_s, u"clicks"_s}));
    QSignalSpy retried(m_panel.get(), &TopicPanel::retryRequested);
    m_tree->setCurrentIndex(row(u"Brokers"_s));
    QTest::keyClick(m_tree, Qt::Key_Return); // opens the row, nothing else
    QVERIFY(m_tree->isExpanded(row(u"Brokers"_s)));
    m_panel->setFilter(u"o"_s);
    QCOMPARE(shownTopics(), QStringList(u"orders"_s));
    m_panel->setFilter({});
    m_model->removeConnection(kLocal);
    QVERIFY(m_tree->isColumnHidden(TopicTreeModel::ReplicasColumn));
}

void tst_TopicPanel::offsetsHaveColumnsWhereThereIsRoom()
{
    m_panel->resize(700, 500);
    QTRY_COMPARE(m_tree->width(), 700);
    QVERIFY(!showsOffsets()); // no partition is in view
    m_tree->setExpanded(row(u"orders"_s), true);
    QTRY_VERIFY(showsOffsets());
    m_panel->resize(250, 500);
    QTRY_VERIFY(!showsOffsets());
    const QString name = u"a-topic-of-operators"_s; // is not cut
    QVERIFY(m_tree->columnWidth(TopicTreeModel::NameColumn) >=
            m_tree->fontMetrics().horizontalAdvance(name));
    m_panel->resize(700, 500);
    QTRY_VERIFY(showsOffsets());
    m_tree->setExpanded(row(u"orders"_s), false);
    QTRY_VERIFY(!showsOffsets());
}

void tst_TopicPanel::chosenOffsetsBeatTheRoom()
{
    m_panel->setShowsOffsets(true);
    m_panel->resize(250, 500);
    QTRY_COMPARE(m_tree->width(), 250);
    QVERIFY(showsOffsets());
    const QByteArray columns = m_panel->saveColumns(); // which of them are shown is no part of it
    m_panel->setShowsOffsets(false);
    m_panel->restoreColumns(columns);
    QVERIFY(!showsOffsets());
    m_panel->resize(700, 500);
    m_tree->setExpanded(row(u"orders"_s), true);
    QTRY_VERIFY(!m_panel->findChild<QTimer *>(u"look"_s)->isActive());
    QVERIFY(!showsOffsets());
}

void tst_TopicPanel::retryIsOfferedInNarrowPanelsToo()
{
    const auto isThere = [this] {
        const auto buttons = m_panel->findChildren<QToolButton *>(u"retryButton"_s);
        return buttons.size() == 1 && buttons.first()->isVisible() &&
               buttons.first()->x() > m_tree->viewport()->width() / 2 &&
               m_tree->viewport()->rect().contains(buttons.first()->geometry());
    };
    m_model->setConnectionState(kLocal, ConnectionState::Lost,
                                Error::make(ErrorKind::Network, u"refused"_s));
    QTRY_VERIFY(isThere());
    m_panel->setShowsOffsets(true);
    QTRY_VERIFY(isThere());
}

QTEST_MAIN(tst_TopicPanel)
#include "tst_topicpanel.moc"
