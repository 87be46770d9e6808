// librdkafka's cluster in memory refuses to list groups. A program of its own, since librdkafka
// (2.0.2) leaks a queue with each such refusal: its leaks are not looked at here.

#include "core/kafka/kafkasession.h"
#include "tests/core/kafka/mockcluster.h"

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class tst_KafkaGroupList : public QObject
{
    Q_OBJECT
private slots:
    void aBrokerThatRefusesToListIsToldAsSuch();
};

void tst_KafkaGroupList::aBrokerThatRefusesToListIsToldAsSuch()
{
    MockCluster cluster;
    kafka::KafkaSession session(cluster.config());
    const auto list = session.groups()->listGroups(CallContext(20'000ms));
    QVERIFY2(list.ok(), list ? "" : qPrintable(describe(list.error())));
    QVERIFY(list->groups.isEmpty());
    QCOMPARE(list->errors.size(), 1);
    QCOMPARE(list->errors[0].kind, ErrorKind::Unsupported);
}

QTEST_GUILESS_MAIN(tst_KafkaGroupList)
#include "tst_kafkagrouplist.moc"
