#include "tests/support/modeldump.h"
#include "ui/models/topictreemodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <limits>

using namespace topicscope;
using namespace topicscope::ui;
using topicscope::test::shownToolTip;
using namespace Qt::StringLiterals;

namespace
{

constexpr ConnectionId kLocal{1};

PartitionInfo partition(qint32 id, qint64 logStart, qint64 highWatermark)
{
    return {PartitionId{id}, Offset{logStart}, Offset{highWatermark}, {}};
}

SessionConfig config(const QString &name)
{
    SessionConfig c;
    c.name = name;
    c.host = u"broker.example"_s;
    c.port = 9092;
    return c;
}

Error unreachable()
{
    return Error::make(ErrorKind::Network, u"connection refused"_s);
}

/// One line a row: name, then the columns' texts and the note; indented by depth.
QStringList dump(const QAbstractItemModel &model, const QModelIndex &parent = {},
                 const QString &indent = {})
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(parent); ++column)
            cells << model.index(row, column, parent).data().toString();
        const QModelIndex index = model.index(row, 0, parent);
        cells << index.data(TopicTreeModel::NoteRole).toString();
        lines << indent + cells.join(u'|').replace(QChar(0x202f), u' ');
        lines << dump(model, index, indent + u"  "_s);
    }
    return lines;
}

TopicList ordersAndClicks()
{
    return {
        {u"orders"_s, {partition(0, 0, 3201), partition(1, 0, 10483), partition(2, 12, 1112)}, {}},
        {u"clicks"_s, {partition(0, 5, 5)}, {}},
    };
}

} // namespace

class tst_TopicTreeModel : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void listsConnectionsTopicsAndPartitions();
    void barIsRelativeToTheTopicsLargestPartition();
    void newListChangesOnlyRowsThatDiffer();
    void sameListChangesNothing();
    void persistentIndexesSurviveARefresh();
    void everyListLeadsToTheSameRowsAsAFreshOne_data();
    void everyListLeadsToTheSameRowsAsAFreshOne();
    void badTopicAndPartitionKeepTheirRowWithTheReason();
    void connectionStateIsItsNote();
    void namelessConnectionIsHostAndPort();
    void lostConnectionKeepsItsTopics();
    void impossibleWatermarksAreNoRecords();
    void repeatedNamesAreShownOnce();
    void toolTipsObeyNoMarkup();
    void topicOfIsComplete();
    void removedConnectionIsGone();
};

void tst_TopicTreeModel::init()
{
    QTest::failOnWarning(QRegularExpression(u".?"_s));
}

void tst_TopicTreeModel::listsConnectionsTopicsAndPartitions()
{
    TopicTreeModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.addConnection(kLocal, config(u"local"_s));
    model.setConnectionState(kLocal, ConnectionState::Connected);
    model.setTopics(kLocal, ordersAndClicks());
    QCOMPARE(dump(model), QStringList({
                              u"local||||broker.example:9092"_s,
                              u"  clicks|0|||"_s,
                              u"    0|0|5|5|"_s,
                              u"  orders|14 784|||"_s,
                              u"    0|3201|0|3201|"_s,
                              u"    1|10 483|0|10 483|"_s,
                              u"    2|1100|12|1112|"_s,
                          }));
    QCOMPARE(model.topicIndex(kLocal, u"orders"_s).data(TopicTreeModel::CountRole).toInt(), 3);
}

void tst_TopicTreeModel::barIsRelativeToTheTopicsLargestPartition()
{
    TopicTreeModel model;
    model.addConnection(kLocal, config(u"local"_s));
    model.setTopics(kLocal, {{u"t"_s, {partition(0, 0, 50), partition(1, 100, 300)}, {}}});
    const auto bar = [&model](qint32 id) {
        return model.partitionIndex(kLocal, {u"t"_s, PartitionId{id}})
            .siblingAtColumn(TopicTreeModel::RecordsColumn)
            .data(TopicTreeModel::BarRole)
            .toDouble();
    };
    QCOMPARE(bar(0), 0.25);
    QCOMPARE(bar(1), 1.0);

    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setTopics(kLocal, {{u"t"_s, {partition(0, 0, 50), partition(1, 100, 600)}, {}}});
    QCOMPARE(bar(0), 0.1); // its own numbers are the same, the largest is not
    bool firstPartitionRepainted = false;
    for (const auto &signal : changed) {
        const auto first = signal.at(0).toModelIndex();
        firstPartitionRepainted |= first.row() == 0 && first.parent().parent().isValid();
    }
    QVERIFY(firstPartitionRepainted);
}

void tst_TopicTreeModel::newListChangesOnlyRowsThatDiffer()
{
    TopicTreeModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.addConnection(kLocal, config(u"local"_s));
    model.setTopics(kLocal, ordersAndClicks());

    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    TopicList next = ordersAndClicks();
    next[0].partitions[0].highWatermark = Offset{3202};
    next.append({u"payments"_s, {partition(0, 0, 1)}, {}});
    next.append({u"audit"_s, {}, {}});
    next.removeAt(1); // clicks
    model.setTopics(kLocal, next);
    QCOMPARE(reset.count(), 0);
    QCOMPARE(inserted.count(), 2);
    QCOMPARE(removed.count(), 1);
    QCOMPARE(dump(model), QStringList({
                              u"local||||connecting…"_s,
                              u"  audit|0|||"_s,
                              u"  orders|14 785|||"_s,
                              u"    0|3202|0|3202|"_s,
                              u"    1|10 483|0|10 483|"_s,
                              u"    2|1100|12|1112|"_s,
                              u"  payments|1|||"_s,
                              u"    0|1|0|1|"_s,
                          }));
}

void tst_TopicTreeModel::sameListChangesNothing()
{
    TopicTreeModel model;
    model.addConnection(kLocal, config(u"local"_s));
    model.setTopics(kLocal, ordersAndClicks());
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    model.setTopics(kLocal, ordersAndClicks());
    QCOMPARE(changed.count() + inserted.count() + removed.count(), 0);
}

void tst_TopicTreeModel::persistentIndexesSurviveARefresh()
{
    TopicTreeModel model;
    model.addConnection(kLocal, config(u"local"_s));
    model.setTopics(kLocal, ordersAndClicks());
    const QPersistentModelIndex held = model.partitionIndex(kLocal, {u"orders"_s, PartitionId{1}});
    QVERIFY(held.isValid());
    TopicList next = ordersAndClicks();
    next.prepend({u"aaa"_s, {partition(0, 0, 1)}, {}});
    next[1].partitions.prepend(partition(7, 0, 1)); // in whatever order the broker lists them
    model.setTopics(kLocal, next);
    QVERIFY(held.isValid());
    QCOMPARE(held.data().toString(), u"1"_s);
    QCOMPARE(held.parent().data().toString(), u"orders"_s);
}

void tst_TopicTreeModel::everyListLeadsToTheSameRowsAsAFreshOne_data()
{
    // Letters are topics, digits their partitions.
    QTest::addColumn<QStringList>("before");
    QTest::addColumn<QStringList>("after");
    const QStringList abc{u"a01"_s, u"b0"_s, u"c012"_s};
    QTest::newRow("to nothing") << abc << QStringList();
    QTest::newRow("from nothing") << QStringList() << abc;
    QTest::newRow("first gone") << abc << abc.mid(1);
    QTest::newRow("last gone") << abc << abc.first(2);
    QTest::newRow("all other") << abc << QStringList({u"d0"_s, u"e01"_s});
    QTest::newRow("runs between") << abc
                                  << QStringList({u"A"_s, u"B"_s, u"a01"_s, u"aa"_s, u"ab"_s,
                                                  u"c012"_s, u"z"_s});
    QTest::newRow("partitions grow and shrink")
        << abc << QStringList({u"a012"_s, u"b12"_s, u"c1"_s});
}

void tst_TopicTreeModel::everyListLeadsToTheSameRowsAsAFreshOne()
{
    QFETCH(QStringList, before);
    QFETCH(QStringList, after);
    const auto topics = [](const QStringList &specs) {
        TopicList list;
        for (const QString &spec : specs) {
            TopicInfo topic;
            for (const QChar c : spec) {
                if (c.isDigit())
                    topic.partitions.append(partition(c.digitValue(), 0, 10 * spec.size()));
                else
                    topic.name += c;
            }
            list.append(topic);
        }
        return list;
    };
    TopicTreeModel changed;
    QAbstractItemModelTester tester(&changed,
                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
    changed.addConnection(kLocal, config(u"local"_s));
    changed.setTopics(kLocal, topics(before));
    changed.setTopics(kLocal, topics(after));
    TopicTreeModel fresh;
    fresh.addConnection(kLocal, config(u"local"_s));
    fresh.setTopics(kLocal, topics(after));
    QCOMPARE(dump(changed), dump(fresh));
    QCOMPARE(changed.rowCount(changed.index(0, 0)), int(after.size()));
}

void tst_TopicTreeModel::badTopicAndPartitionKeepTheirRowWithTheReason()
{
    TopicTreeModel model;
    model.addConnection(kLocal, config(u"local"_s));
    TopicList topics = ordersAndClicks();
    topics[0].partitions[1].error = Error::make(ErrorKind::Timeout, {});
    topics[1].error = Error::make(ErrorKind::Timeout, {});
    topics[1].partitions.clear();
    model.setTopics(kLocal, topics);
    QCOMPARE(dump(model), QStringList({
                              u"local||||connecting…"_s,
                              u"  clicks||||No answer in time."_s,
                              u"  orders|14 784|||"_s,
                              u"    0|3201|0|3201|"_s,
                              u"    1||||No answer in time."_s,
                              u"    2|1100|12|1112|"_s,
                          }));
    // Healed: the reason goes away.
    model.setTopics(kLocal, ordersAndClicks());
    QCOMPARE(dump(model).at(5), u"    1|10 483|0|10 483|"_s);
    QCOMPARE(dump(model).at(1), u"  clicks|0|||"_s);
}

void tst_TopicTreeModel::connectionStateIsItsNote()
{
    TopicTreeModel model;
    SessionConfig readOnly = config(u"prod"_s);
    readOnly.readOnly = true;
    model.addConnection(kLocal, readOnly);
    const QModelIndex row = model.connectionIndex(kLocal);
    const auto state = [&row] {
        return row.data(TopicTreeModel::NodeStateRole).value<TopicTreeModel::NodeState>();
    };
    QCOMPARE(row.data(TopicTreeModel::NoteRole).toString(), u"connecting…"_s);
    QCOMPARE(state(), TopicTreeModel::NodeState::Connecting);
    model.setConnectionState(kLocal, ConnectionState::Lost, unreachable());
    QCOMPARE(row.data(TopicTreeModel::NoteRole).toString(),
             u"lost: The broker cannot be reached. Connection refused."_s);
    QCOMPARE(state(), TopicTreeModel::NodeState::Failed);
    model.setConnectionState(kLocal, ConnectionState::Connected);
    QCOMPARE(row.data(TopicTreeModel::NoteRole).toString(), u"broker.example:9092"_s);
    QCOMPARE(state(), TopicTreeModel::NodeState::ReadOnly);
}

void tst_TopicTreeModel::namelessConnectionIsHostAndPort()
{
    TopicTreeModel model;
    model.addConnection(kLocal, config({}));
    model.setConnectionState(kLocal, ConnectionState::Connected);
    QCOMPARE(dump(model), QStringList(u"broker.example||||port 9092"_s));
}

void tst_TopicTreeModel::lostConnectionKeepsItsTopics()
{
    TopicTreeModel model;
    model.addConnection(kLocal, config(u"local"_s));
    model.setTopics(kLocal, ordersAndClicks());
    model.setConnectionState(kLocal, ConnectionState::Lost, unreachable());
    QCOMPARE(model.topics(kLocal).size(), 2);
}

void tst_TopicTreeModel::impossibleWatermarksAreNoRecords()
{
    constexpr qint64 kMax = std::numeric_limits<qint64>::max();
    constexpr qint64 kMin = std::numeric_limits<qint64>::min();
    TopicTreeModel model;
    model.addConnection(kLocal, config(u"local"_s));
    model.setTopics(kLocal, {{u"t"_s,
                              {partition(0, 10, 3), partition(1, kMin, kMax), partition(2, 0, kMax),
                               partition(3, 1, kMax)},
                              {}}});
    const auto records = [&model](qint32 id) {
        return model.partitionIndex(kLocal, {u"t"_s, PartitionId{id}})
            .siblingAtColumn(TopicTreeModel::RecordsColumn)
            .data(TopicTreeModel::SortRole)
            .toLongLong();
    };
    QCOMPARE(records(0), 0);
    QCOMPARE(records(1), 0);
    QCOMPARE(records(2), kMax);
    const QModelIndex topic = model.topicIndex(kLocal, u"t"_s);
    QCOMPARE(topic.siblingAtColumn(TopicTreeModel::RecordsColumn)
                 .data(TopicTreeModel::SortRole)
                 .toLongLong(),
             kMax); // the sum does not overflow
}

void tst_TopicTreeModel::repeatedNamesAreShownOnce()
{
    TopicTreeModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.addConnection(kLocal, config(u"local"_s));
    const TopicList topics{{u"t"_s, {partition(0, 0, 1), partition(0, 0, 9)}, {}},
                           {u"t"_s, {partition(0, 0, 2)}, {}}};
    for (int i = 0; i < 2; ++i) {
        model.setTopics(kLocal, topics);
        QCOMPARE(dump(model).mid(1), QStringList({u"  t|1|||"_s, u"    0|1|0|1|"_s}));
    }
}

void tst_TopicTreeModel::toolTipsObeyNoMarkup()
{
    TopicTreeModel model;
    model.addConnection(kLocal, config(u"<h1>a & b</h1>"_s));
    model.setTopics(kLocal, {{u"<b>t</b>"_s, {partition(0, 0, 5)}, {}}});
    QCOMPARE(shownToolTip(model.connectionIndex(kLocal)),
             u"<h1>a & b</h1> at broker.example:9092"_s);
    QCOMPARE(shownToolTip(model.topicIndex(kLocal, u"<b>t</b>"_s)), u"<b>t</b>: 1 partition(s)"_s);
}

void tst_TopicTreeModel::topicOfIsComplete()
{
    TopicTreeModel model;
    model.addConnection(kLocal, config(u"local"_s));
    model.setTopics(kLocal, ordersAndClicks());
    const QModelIndex row = model.partitionIndex(kLocal, {u"orders"_s, PartitionId{2}});
    const auto topic = model.topicOf(row.siblingAtColumn(TopicTreeModel::HighWatermarkColumn));
    QVERIFY(topic.has_value());
    QCOMPARE(topic->name, u"orders"_s);
    QCOMPARE(topic->partitions, ordersAndClicks().at(0).partitions);
    QCOMPARE(model.partitionOf(row), PartitionId{2});
    QCOMPARE(model.connectionOf(row), kLocal);
    QVERIFY(!model.topicOf(model.connectionIndex(kLocal)).has_value());
    QVERIFY(!model.connectionOf({}).has_value());
}

void tst_TopicTreeModel::removedConnectionIsGone()
{
    constexpr ConnectionId kOther{2};
    TopicTreeModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.addConnection(kLocal, config(u"local"_s));
    model.addConnection(kOther, config({}));
    model.setTopics(kLocal, ordersAndClicks());
    model.setTopics(kOther, {{u"x"_s, {}, {}}});
    model.removeConnection(kLocal);
    model.setTopics(kLocal, ordersAndClicks()); // an answer that comes late
    QCOMPARE(dump(model), QStringList({u"broker.example||||connecting…"_s, u"  x|0|||"_s}));
}

QTEST_GUILESS_MAIN(tst_TopicTreeModel)
#include "tst_topictreemodel.moc"
