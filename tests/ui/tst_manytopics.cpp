// A cluster of ten thousand topics, from its socket to the rows of the tree: names at once, offsets
// for what is in view.

#include "core/sessionfactory.h"
#include "tests/support/fakekafkabroker.h"
#include "ui/openconnections.h"
#include "ui/panels/topicpanel.h"
#include "ui/views/topictreeview.h"

#include <QScrollBar>
#include <QSet>
#include <QStandardPaths>
#include <QTest>

using namespace topicscope;
using namespace topicscope::test;
using namespace topicscope::ui;
using namespace Qt::StringLiterals;

class tst_ManyTopics : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void onlyOffsetsInViewAreAskedFor();
};

void tst_ManyTopics::onlyOffsetsInViewAreAskedFor()
{
    constexpr qsizetype kTopics = 10'000;
    constexpr qsizetype kInView = 60; // rows that fit into the panel, amply
    FakeKafkaBroker broker(manyTopics(kTopics, 4));
    OpenConnections connections(defaultSessionFactory());
    TopicPanel panel(connections.model());
    connect(&panel, &TopicPanel::offsetsWanted, &connections, &OpenConnections::wantOffsets);
    auto *tree = panel.findChild<TopicTreeView *>(u"topicTree"_s);
    panel.resize(400, 500);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));

    const ConnectionId id = connections.open(broker.config());
    QTRY_COMPARE_WITH_TIMEOUT(connections.model()->topics(id).size(), kTopics, 60'000);
    const auto offsetsKnown = [&](const QString &topic) {
        return connections.model()
            ->topicOf(connections.model()->topicIndex(id, topic))
            ->partitions.constFirst()
            .offsetsKnown;
    };
    QTRY_VERIFY_WITH_TIMEOUT(offsetsKnown(u"topic-00000"_s), 60'000);
    // Settled: what is in view has its offsets, and nothing more was asked for.
    QTRY_VERIFY(offsetsKnown(u"topic-00010"_s));
    const auto asked = [&broker] {
        const QByteArrayList all = broker.offsetsAskedFor();
        return QSet<QByteArray>(all.begin(), all.end());
    };
    QVERIFY2(asked().size() < kInView, qPrintable(QString::number(asked().size())));
    QVERIFY(!asked().contains("topic-00100"));

    tree->verticalScrollBar()->setValue(tree->verticalScrollBar()->maximum());
    QTRY_VERIFY_WITH_TIMEOUT(offsetsKnown(u"topic-09999"_s), 60'000);
    QVERIFY2(asked().size() < 2 * kInView, qPrintable(QString::number(asked().size())));
    QVERIFY(!asked().contains("topic-05000"));
}

QTEST_MAIN(tst_ManyTopics)
#include "tst_manytopics.moc"
