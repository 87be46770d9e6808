// A broker that goes and comes back while a session rests: what the library noted of it meanwhile
// is no reason to give up the next call.

#include "core/kafka/kafkasession.h"
#include "tests/support/fakekafkabroker.h"

#include <QTest>

#include <semaphore>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Api = FakeKafkaBroker::Api;
using Then = FakeKafkaBroker::Then;

namespace
{

CallContext soon()
{
    return CallContext(10'000ms);
}

/// One record was stored.
QByteArray stored(const QByteArray &answer)
{
    // Produce 3: topics of partitions: id, error, offset, time; throttled for.
    return FakeKafkaBroker::withBody(answer, be32(1) + FakeKafkaBroker::string("orders") + be32(1) +
                                                 be32(0) + be16(0) + be64(0) + be64(-1) + be32(0));
}

} // namespace

class tst_KafkaResting : public QObject
{
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }
    void aPublishIsNotGivenUpForThePast();
    void aBrokerThatIsStillAwayIsSaidEachTime();
};

void tst_KafkaResting::aPublishIsNotGivenUpForThePast()
{
    std::counting_semaphore<> back(0); // outlives the broker's thread, which releases it
    FakeKafkaBroker broker;
    SessionConfig config = broker.config();
    config.properties[u"reconnect.backoff.ms"_s] = u"1"_s; // it comes back at once
    config.properties[u"reconnect.backoff.max.ms"_s] = u"1"_s;
    kafka::KafkaSession session(config);
    PublishRequest request;
    request.topic = u"orders"_s;
    request.value = QByteArray("v");
    request.ack = AckPolicy::Acks1;
    int before = 0;
    broker.on(
        Api::Produce,
        [&](const QByteArray &answer) {
            before = broker.requests(Api::ApiVersions);
            broker.on(Api::ApiVersions, Then::HangUp);
            return stored(answer);
        },
        Then::HangUp);
    const auto first = session.publish(request, soon());
    QVERIFY2(first, qPrintable(first ? QString() : describe(first.error())));
    // The client finds the broker away, then back, and nothing is asked of it meanwhile.
    QVERIFY(broker.waitForRequest(Api::ApiVersions, before));
    broker.on(Api::ApiVersions, [&back](const QByteArray &answer) {
        back.release();
        return answer;
    });
    QVERIFY(back.try_acquire_for(10s));
    broker.on(Api::Produce, stored);
    const auto second = session.publish(request, soon());
    QVERIFY2(second, qPrintable(second ? QString() : describe(second.error())));
    QCOMPARE(broker.requests(Api::Produce), 2);
}

/// The library says once that nobody can be reached.
void tst_KafkaResting::aBrokerThatIsStillAwayIsSaidEachTime()
{
    FakeKafkaBroker broker;
    SessionConfig config = broker.config();
    config.properties[u"reconnect.backoff.max.ms"_s] = u"100"_s;
    kafka::KafkaSession session(config);
    QVERIFY(session.open(soon()));
    broker.on(Api::Metadata, Then::HangUp);
    broker.on(Api::ApiVersions, Then::HangUp);
    for (int i = 0; i < 3; ++i) {
        const auto topics = session.listTopics(soon());
        QVERIFY(!topics);
        QVERIFY2(topics.error().kind == ErrorKind::Network, qPrintable(describe(topics.error())));
    }
}

QTEST_GUILESS_MAIN(tst_KafkaResting)
#include "tst_kafkaresting.moc"
