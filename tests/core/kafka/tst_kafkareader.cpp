// A topic's partitions, read one after another through the window's session.

#include "core/session/sessionhandle.h"
#include "core/sessionfactory.h"
#include "tests/core/kafka/readall.h"
#include "tests/support/fakekafkabroker.h"

#include <QSignalSpy>
#include <QTest>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;

namespace
{

FetchRequest from(qint32 partition, qint64 offset = 0)
{
    FetchRequest request;
    request.partition = {u"orders"_s, PartitionId{partition}};
    request.offset = Offset{offset};
    return request;
}

/// Three records in each of seven partitions.
FakeKafkaBroker::Topics topics()
{
    const auto record = &FakeKafkaBroker::record;
    FakeKafkaBroker::Topic orders;
    orders.partitions = 7;
    orders.batches = {
        FakeKafkaBroker::batch(0, 3, 0, record(0, "a") + record(1, "b") + record(2, "c"))};
    return {{"orders", orders}};
}

} // namespace

class tst_KafkaReader : public QObject
{
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }
    void severalPartitionsAreReadTogether();
    void eachAnswersForItsOwnPlace();

private:
    /// "partition: values" of each answer, and "partition: refused".
    static QStringList fetched(SessionHandle &handle, const std::vector<FetchRequest> &requests);
};

QStringList tst_KafkaReader::fetched(SessionHandle &handle,
                                     const std::vector<FetchRequest> &requests)
{
    QStringList answers;
    const QObject receiver;
    QObject::connect(
        &handle, &SessionHandle::fetched, &receiver,
        [&](RequestId /*id*/, const FetchResult &result) {
            QByteArray values;
            for (const Record &record : result.chunk->records())
                values += toBytes(result.chunk->value(record));
            answers +=
                u"%1: %2"_s.arg(result.partition.partition.value).arg(QString::fromLatin1(values));
        });
    QObject::connect(&handle, &SessionHandle::fetchFailed, &receiver,
                     [&](RequestId /*id*/, const TopicPartition &partition, const Error &error) {
                         QCOMPARE(error.kind, ErrorKind::Broker);
                         answers += u"%1: refused"_s.arg(partition.partition.value);
                     });
    QSignalSpy finished(&handle, &SessionHandle::fetchFinished);
    handle.fetch(requests);
    if (!finished.wait(20'000))
        answers += u"no end"_s;
    return answers;
}

/// One request of the library's is about several of them: nobody waits for each in turn.
void tst_KafkaReader::severalPartitionsAreReadTogether()
{
    const FakeKafkaBroker broker(topics());
    SessionHandle handle(defaultSessionFactory(), broker.config());
    QStringList expected;
    std::vector<FetchRequest> requests;
    for (qint32 partition = 0; partition < 7; ++partition) {
        requests.push_back(from(partition, 1));
        expected += u"%1: bc"_s.arg(partition);
    }
    QCOMPARE(fetched(handle, requests), expected);
    QVERIFY(broker.fetchedTogether() > 1);
}

/// Also where one partition is asked for twice, one is not there, and what was begun is given up.
void tst_KafkaReader::eachAnswersForItsOwnPlace()
{
    const FakeKafkaBroker broker(topics());
    SessionHandle handle(defaultSessionFactory(), broker.config());
    for (int round = 0; round < 3; ++round) {
        QCOMPARE(fetched(handle, {from(0, 0), from(1, 1), from(1, 0), from(0, 2), from(9, 4),
                                  from(-1, 5), from(2, 2), from(1, 2)}),
                 QStringList({u"0: abc"_s, u"1: bc"_s, u"1: abc"_s, u"0: c"_s, u"9: refused"_s,
                              u"-1: refused"_s, u"2: c"_s, u"1: c"_s}));
        QSignalSpy ended(&handle, &SessionHandle::fetchFinished);
        handle.cancel(handle.fetch({from(3), from(4), from(5)}));
        QVERIFY(ended.wait());
        QCOMPARE(fetched(handle, {from(4, 1), from(3, 2)}), QStringList({u"4: bc"_s, u"3: c"_s}));
    }
}

QTEST_GUILESS_MAIN(tst_KafkaReader)
#include "tst_kafkareader.moc"
