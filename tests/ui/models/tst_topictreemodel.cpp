#include "tests/support/modeldump.h"
#include "ui/models/topictreemodel.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
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
        if (cells.constLast().isEmpty())
            cells.removeLast(); // an engine without replicas
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
    void namesComeBeforeOffsets();
    void newListKeepsOffsetsAndWantsThemAgain();
    void newListKeepsWhyThereAreNoOffsets();
    void brokersComeBeforeTopics();
    void replicasAreToldInWords();
    void internalTopicsAreMarked();
    void nothingListedIsSaid();
    void tenThousandTopics();
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

namespace
{

PartitionInfo led(qint32 id, qint32 leader, const QList<qint32> &replicas,
                  const QList<qint32> &inSync)
{
    PartitionInfo info;
    info.id = PartitionId{id};
    info.leader = leader;
    info.replicas = replicas;
    info.inSyncReplicas = inSync;
    info.offsetsKnown = false;
    if (leader < 0)
        info.error = Error::make(ErrorKind::Broker, {});
    return info;
}

PartitionInfo withOffsets(PartitionInfo info, qint64 logStart, qint64 highWatermark)
{
    info.logStartOffset = Offset{logStart};
    info.highWatermark = Offset{highWatermark};
    info.offsetsKnown = true;
    return info;
}

bool wantsOffsets(const TopicTreeModel &model, const QString &topic)
{
    return model.topicIndex(kLocal, topic).data(TopicTreeModel::WantsOffsetsRole).toBool();
}

} // namespace

void tst_TopicTreeModel::namesComeBeforeOffsets()
{
    TopicTreeModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.addConnection(kLocal, config(u"local"_s));
    const PartitionInfo first = led(0, 1, {1, 2}, {1, 2});
    const PartitionInfo second = led(1, 2, {2, 1}, {1, 2});
    model.setTopics(kLocal, {{u"a"_s, {first, second}, {}}, {u"b"_s, {first}, {}}});
    QCOMPARE(dump(model).mid(1),
             QStringList({u"  a|…|||"_s, u"    0|…|||1 · 2/2|"_s, u"    1|…|||2 · 2/2|"_s,
                          u"  b|…|||"_s, u"    0|…|||1 · 2/2|"_s}));
    QVERIFY(wantsOffsets(model, u"a"_s) && wantsOffsets(model, u"b"_s));
    model.setOffsetsAsked(kLocal, {u"a"_s});
    QVERIFY(!wantsOffsets(model, u"a"_s) && wantsOffsets(model, u"b"_s));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.updateTopics(kLocal,
                       {{u"a"_s, {withOffsets(first, 0, 5), withOffsets(second, 2, 9)}, {}}});
    QVERIFY(changed.count() > 0);
    QCOMPARE(dump(model).mid(1),
             QStringList({u"  a|12|||"_s, u"    0|5|0|5|1 · 2/2|"_s, u"    1|7|2|9|2 · 2/2|"_s,
                          u"  b|…|||"_s, u"    0|…|||1 · 2/2|"_s}));
    QVERIFY(!wantsOffsets(model, u"a"_s));
}

void tst_TopicTreeModel::newListKeepsOffsetsAndWantsThemAgain()
{
    TopicTreeModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.addConnection(kLocal, config(u"local"_s));
    const PartitionInfo listed = led(0, 1, {1, 2}, {1, 2});
    model.setTopics(kLocal, {{u"a"_s, {listed}, {}}});
    model.updateTopics(kLocal, {{u"a"_s, {withOffsets(listed, 0, 5)}, {}}});
    QVERIFY(!wantsOffsets(model, u"a"_s));
    model.setTopics(kLocal, {{u"a"_s, {led(0, 2, {1, 2}, {2})}, {}}});
    QCOMPARE(dump(model).mid(1),
             QStringList({u"  a|5|||1 out of sync"_s, u"    0|5|0|5|2 · 1/2|"_s}));
    QVERIFY(wantsOffsets(model, u"a"_s));
    QCOMPARE(model.topics(kLocal).at(0).partitions.at(0).highWatermark, Offset{5});
}

void tst_TopicTreeModel::newListKeepsWhyThereAreNoOffsets()
{
    TopicTreeModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.addConnection(kLocal, config(u"local"_s));
    const PartitionInfo listed = led(0, 1, {1, 2}, {1, 2});
    PartitionInfo silent = listed;
    silent.error = Error::make(ErrorKind::Timeout, {});
    const auto row = [&model] { return dump(model).at(2); };
    model.setTopics(kLocal, {{u"a"_s, {listed}, {}}});
    model.updateTopics(kLocal, {{u"a"_s, {silent}, {}}});
    QVERIFY2(row().contains(u"No answer in time."_s), qPrintable(row()));
    model.setTopics(kLocal, {{u"a"_s, {listed}, {}}});
    QVERIFY2(row().contains(u"No answer in time."_s), qPrintable(row()));
    // Another leader may answer, and one that answers has no reason.
    model.setTopics(kLocal, {{u"a"_s, {led(0, 2, {1, 2}, {1, 2})}, {}}});
    QVERIFY2(!row().contains(u"No answer"_s), qPrintable(row()));
    model.updateTopics(kLocal, {{u"a"_s, {silent}, {}}});
    model.updateTopics(kLocal, {{u"a"_s, {withOffsets(listed, 0, 5)}, {}}});
    QVERIFY2(!row().contains(u"No answer"_s), qPrintable(row()));
}

void tst_TopicTreeModel::brokersComeBeforeTopics()
{
    TopicTreeModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.addConnection(kLocal, config(u"local"_s));
    model.setTopics(kLocal, ordersAndClicks());
    const BrokerInfo one{1, u"one.example"_s, 9092};
    const BrokerInfo two{2, u"two.example"_s, 9093};
    const BrokerInfo three{3, u"three.example"_s, 9094};
    model.setCluster(kLocal, {u"abc"_s, 2, {three, one, two}});
    QCOMPARE(dump(model).mid(1, 4), QStringList({u"  Brokers||||"_s, u"    1||||one.example:9092"_s,
                                                 u"    2||||two.example:9093 · controller"_s,
                                                 u"    3||||three.example:9094"_s}));
    const QModelIndex brokers = model.index(0, 0, model.connectionIndex(kLocal));
    QCOMPARE(brokers.data(TopicTreeModel::CountRole).toInt(), 3);
    QVERIFY(shownToolTip(brokers).contains(u"abc"_s));
    QVERIFY(!model.topicOf(brokers) && !model.topicOf(model.index(0, 0, brokers)));
    QCOMPARE(model.connectionOf(model.index(0, 0, brokers)), kLocal);
    // One went, the controller is another one; topics are found as before, and lists still fit.
    model.setCluster(kLocal, {u"abc"_s, 3, {one, three}});
    QCOMPARE(dump(model).mid(1, 3), QStringList({u"  Brokers||||"_s, u"    1||||one.example:9092"_s,
                                                 u"    3||||three.example:9094 · controller"_s}));
    QCOMPARE(model.topicIndex(kLocal, u"clicks"_s).row(), 1);
    QCOMPARE(model.topicIndex(kLocal, u"orders"_s).row(), 2);
    QCOMPARE(model.topics(kLocal).size(), 2);
    model.setTopics(kLocal, {{u"zoo"_s, {}, {}}});
    QCOMPARE(model.topics(kLocal).size(), 1);
    QCOMPARE(model.rowCount(model.connectionIndex(kLocal)), 2);
}

void tst_TopicTreeModel::replicasAreToldInWords()
{
    using State = TopicTreeModel::NodeState;
    TopicTreeModel model;
    model.addConnection(kLocal, config(u"local"_s));
    model.setTopics(kLocal, {{u"a"_s,
                              {led(0, 2, {2, 3}, {2, 3}), led(1, 2, {3, 2}, {2}),
                               led(2, -1, {3}, {3}), led(3, 3, {2, 3}, {2, 3})},
                              {}},
                             {u"b"_s, {led(0, 2, {3, 2}, {2})}, {}},
                             {u"c"_s, {led(0, 3, {2, 3}, {2, 3})}, {}}});
    const auto row = [&model](qint32 id) {
        return model.partitionIndex(kLocal, {u"a"_s, PartitionId{id}});
    };
    const auto state = [](const QModelIndex &index) {
        return index.data(TopicTreeModel::NodeStateRole).value<State>();
    };
    QCOMPARE(state(row(0)), State::Ok);
    QCOMPARE(state(row(1)), State::Degraded);
    QCOMPARE(state(row(2)), State::Failed);
    QCOMPARE(state(row(3)), State::Ok); // only not the preferred one
    QVERIFY(
        shownToolTip(row(0)).contains(u"Broker 2 leads. Replicas on brokers 2, 3, all in sync."));
    QVERIFY(shownToolTip(row(1)).contains(u"not in sync: 3."));
    QVERIFY(shownToolTip(row(2)).contains(u"No broker leads"));
    QCOMPARE(row(2).data(TopicTreeModel::NoteRole).toString(), u"no leader · in sync: 3"_s);
    QVERIFY(shownToolTip(row(3)).contains(u"broker 2 is the preferred one"));
    // A topic is as well as the worst of its partitions.
    const auto topic = [&model](const QString &name) { return model.topicIndex(kLocal, name); };
    QCOMPARE(state(topic(u"a"_s)), State::Degraded);
    QCOMPARE(topic(u"a"_s).data(TopicTreeModel::NoteRole).toString(),
             u"1 leaderless · 1 out of sync"_s);
    QCOMPARE(state(topic(u"b"_s)), State::Degraded);
    QCOMPARE(topic(u"b"_s).data(TopicTreeModel::NoteRole).toString(), u"1 out of sync"_s);
    QCOMPARE(state(topic(u"c"_s)), State::Ok);
}

void tst_TopicTreeModel::internalTopicsAreMarked()
{
    TopicTreeModel model;
    model.addConnection(kLocal, config(u"local"_s));
    TopicList topics = ordersAndClicks();
    topics.prepend({u"__consumer_offsets"_s, {partition(0, 0, 1)}, {}, true});
    model.setTopics(kLocal, topics);
    const QModelIndex internal = model.topicIndex(kLocal, u"__consumer_offsets"_s);
    QVERIFY(internal.data(TopicTreeModel::InternalRole).toBool());
    QVERIFY(model.index(0, 0, internal).data(TopicTreeModel::InternalRole).toBool());
    QCOMPARE(model.firstTopicIndex(kLocal), model.topicIndex(kLocal, u"clicks"_s));
    QVERIFY(model.topicOf(internal)->internal);
}

void tst_TopicTreeModel::nothingListedIsSaid()
{
    TopicTreeModel model;
    model.addConnection(kLocal, config(u"local"_s));
    model.setConnectionState(kLocal, ConnectionState::Connected);
    const QModelIndex row = model.connectionIndex(kLocal);
    const auto note = [&row] { return row.data(TopicTreeModel::NoteRole).toString(); };
    QCOMPARE(note(), u"broker.example:9092"_s); // nothing is known yet
    model.setTopics(kLocal, {});
    QCOMPARE(note(), u"no topics · broker.example:9092"_s);
    model.setCluster(kLocal, {{}, {}, {{1, u"one.example"_s, 9092}}});
    QVERIFY(shownToolTip(row).contains(u"this login may not see any"_s));
    model.setTopics(kLocal, ordersAndClicks());
    QCOMPARE(note(), u"broker.example:9092"_s);
}

void tst_TopicTreeModel::tenThousandTopics()
{
    TopicList topics;
    for (int i = 0; i < 10'000; ++i) {
        TopicInfo topic{u"topic-%1"_s.arg(i, 5, 10, QChar(u'0')), {}, {}};
        for (qint32 id = 0; id < 4; ++id)
            topic.partitions.append(led(id, 1, {1, 2}, {1, 2}));
        topics.append(topic);
    }
    TopicTreeModel model;
    model.addConnection(kLocal, config(u"local"_s));
    QElapsedTimer timer;
    timer.start();
    model.setTopics(kLocal, topics);
    const qint64 first = timer.restart();
    model.setTopics(kLocal, topics);
    const qint64 again = timer.restart();
    qInfo("10,000 topics of 4: first list %lld ms, the same again %lld ms", first, again);
    QCOMPARE(model.topics(kLocal).size(), 10'000);
    QVERIFY(first < 2'000 && again < 2'000); // ten times what it takes
}

QTEST_GUILESS_MAIN(tst_TopicTreeModel)
#include "tst_topictreemodel.moc"
