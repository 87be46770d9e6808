// Logging in at a broker that refuses, hangs up or falls silent in the midst of it.

#include "core/doctor/doctor.h"
#include "core/kafka/kafkasession.h"
#include "core/session/backoff.h" // isLoginRefused()
#include "core/session/sessionhandle.h"
#include "core/sessionfactory.h"
#include "tests/support/fakekafkabroker.h"
#include "tests/support/promptness.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <future>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Api = FakeKafkaBroker::Api;
using Then = FakeKafkaBroker::Then;

namespace
{

constexpr qint64 kPromptMs = 1'000;

SessionConfig wrongPassword(const FakeKafkaBroker &broker)
{
    return broker.configAs(u"admin"_s, u"Geheim"_s);
}

/// What opening says; nothing when it succeeds.
std::optional<Error> refusal(const SessionConfig &config, std::chrono::milliseconds limit = 10s)
{
    kafka::KafkaSession session(config);
    const auto opened = session.open(CallContext(limit));
    return opened ? std::nullopt : std::optional(opened.error());
}

} // namespace

class tst_KafkaLogin : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void theRightPasswordComesIn();
    void aRefusalIsSaidAndNeverRepeated();
    void aRefusalIsRepeatedWhenTheUserSaysSo();
    void aRefusalThatNobodyHeardIsNotRepeated();
    void aRefusalIsToldWhileRecordsWait();
    void aRefusalIsKnownToAllOfAConnection();
    void whatIsConnectedGoesOnWhenAnotherIsRefused();
    void aMechanismThatIsNotOfferedIsNamed();
    void aLoginByTheDefaultMechanismIsGuarded();
    void aKerberosLoginWithoutATicketIsSaid();
    void whatIsNoAnswerEndsTheLogin_data();
    void whatIsNoAnswerEndsTheLogin();
    void silenceEndsWithTheLimit_data();
    void silenceEndsWithTheLimit();
    void cancelInTheMidstOfItIsBackAtOnce_data();
    void cancelInTheMidstOfItIsBackAtOnce();
    void theDoctorTriesOnce();
    void theDoctorNamesWhatIsOffered();
    void theDoctorSaysWhenNoLoginIsTaken();

private:
    std::unique_ptr<FakeKafkaBroker> m_broker;
};

void tst_KafkaLogin::init()
{
    QTest::failOnWarning(QRegularExpression(u".?"_s));
    m_broker = std::make_unique<FakeKafkaBroker>();
    m_broker->wantLogin("admin", "right");
}

void tst_KafkaLogin::theRightPasswordComesIn()
{
    kafka::KafkaSession session(m_broker->configAs(u"admin"_s, u"right"_s));
    const auto topics = session.listTopics(CallContext(10000ms));
    QVERIFY2(topics, qPrintable(topics ? QString() : describe(topics.error())));
    QCOMPARE(topics->size(), 1);
    QCOMPARE(topics->constFirst().name, u"orders"_s);
}

/// Repeating it could lock the account.
void tst_KafkaLogin::aRefusalIsSaidAndNeverRepeated()
{
    SessionConfig config = wrongPassword(*m_broker);
    config.reconnectFirst = config.reconnectMax = 1ms; // a repetition would come at once
    config.properties[u"reconnect.backoff.ms"_s] = u"1"_s;
    config.properties[u"reconnect.backoff.max.ms"_s] = u"1"_s;
    SessionHandle handle(defaultSessionFactory(), config);
    QTRY_COMPARE(handle.state(), ConnectionState::Lost);
    const Error &error = handle.lastError();
    QCOMPARE(error.kind, ErrorKind::Network);
    QCOMPARE(error.networkCause, NetworkCause::LoginRefused);
    QVERIFY2(error.detail.startsWith(u"PLAIN as admin: "_s), qPrintable(error.detail));
    QVERIFY2(error.detail.contains(u"Invalid username or password"_s), qPrintable(error.detail));
    QVERIFY2(!describe(error).contains(u"Geheim"_s), qPrintable(describe(error)));
    QVERIFY(!m_broker->waitForRequest(Api::SaslAuthenticate, 1, 300ms));
    QCOMPARE(m_broker->requests(Api::SaslAuthenticate), 1);
    QCOMPARE(handle.state(), ConnectionState::Lost);
}

void tst_KafkaLogin::aRefusalIsRepeatedWhenTheUserSaysSo()
{
    SessionHandle handle(defaultSessionFactory(), m_broker->configAs(u"admin"_s, u"new"_s));
    QTRY_COMPARE(handle.state(), ConnectionState::Lost);
    m_broker->wantLogin("admin", "new");
    handle.reconnectNow();
    QTRY_COMPARE(handle.state(), ConnectionState::Connected);
    QCOMPARE(m_broker->requests(Api::SaslAuthenticate), 2);
}

/// The password is changed and the broker restarted while the session rests: the library connects
/// again by itself, whoever listens to it.
void tst_KafkaLogin::aRefusalThatNobodyHeardIsNotRepeated()
{
    SessionConfig config = m_broker->configAs(u"admin"_s, u"right"_s);
    config.properties[u"reconnect.backoff.ms"_s] = u"1"_s;
    config.properties[u"reconnect.backoff.max.ms"_s] = u"1"_s;
    kafka::KafkaSession session(config);
    const TopicPartition orders{u"orders"_s, PartitionId{0}};
    const auto follower = session.follow({{{orders, Offset{0}}}}, CallContext(10'000ms));
    QVERIFY2(follower, qPrintable(follower ? QString() : describe(follower.error())));
    QVERIFY(m_broker->waitForRequest(Api::Fetch)); // and it goes on by itself
    const int before = m_broker->requests(Api::SaslAuthenticate);
    m_broker->wantLogin("admin", "new");
    m_broker->on(Api::Fetch, Then::HangUp);
    QVERIFY(m_broker->waitForRequest(Api::SaslAuthenticate, before));
    QVERIFY(!m_broker->waitForRequest(Api::SaslAuthenticate, before + 1, 300ms));
    const auto next = (*follower)->next(CallContext(10'000ms));
    QVERIFY(!next);
    QCOMPARE(next.error().networkCause, NetworkCause::LoginRefused);
    QCOMPARE(m_broker->requests(Api::SaslAuthenticate), before + 1);
}

void tst_KafkaLogin::aRefusalIsToldWhileRecordsWait()
{
    kafka::KafkaSession session(m_broker->configAs(u"admin"_s, u"right"_s));
    const TopicPartition orders{u"orders"_s, PartitionId{0}};
    const auto follower = session.follow({{{orders, Offset{0}}}}, CallContext(10'000ms));
    QVERIFY2(follower, qPrintable(follower ? QString() : describe(follower.error())));
    QVERIFY(m_broker->waitForRequest(Api::Fetch));
    const int before = m_broker->requests(Api::SaslAuthenticate);
    m_broker->wantLogin("admin", "new");
    m_broker->on(
        Api::Fetch,
        [](const QByteArray &answer) {
            // A message of the oldest format: checksum (not looked at), version, attributes, no
            // key, value.
            const QByteArray message =
                be32(0) + QByteArray(2, 0) + be32(-1) + be32(1) + QByteArray("v");
            const QByteArray set = be64(0) + be32(qint32(message.size())) + message;
            return FakeKafkaBroker::withBody(
                answer, be32(0) + be32(1) + FakeKafkaBroker::string("orders") + be32(1) + be32(0) +
                            be16(0) + be64(1) + be64(1) + be32(0) + be32(qint32(set.size())) + set);
        },
        Then::HangUp);
    QVERIFY(m_broker->waitForRequest(Api::SaslAuthenticate, before));
    QVERIFY(!m_broker->waitForRequest(Api::SaslAuthenticate, before + 1, 300ms));
    const auto next = (*follower)->next(CallContext(10'000ms));
    QVERIFY(!next);
    QCOMPARE(next.error().networkCause, NetworkCause::LoginRefused);
}

/// Of several tabs one tries.
void tst_KafkaLogin::aRefusalIsKnownToAllOfAConnection()
{
    SessionConfig config = wrongPassword(*m_broker);
    config.refusal.shared = std::make_shared<LoginRefusal>();
    kafka::KafkaSession first(config);
    kafka::KafkaSession second(config);
    QVERIFY(!first.open(CallContext(10'000ms)));
    QCOMPARE(m_broker->requests(Api::SaslAuthenticate), 1);
    const auto opened = second.open(CallContext(10'000ms));
    QVERIFY(!opened);
    QCOMPARE(opened.error().networkCause, NetworkCause::LoginRefused);
    QVERIFY2(opened.error().detail.startsWith(u"PLAIN as admin: "_s),
             qPrintable(opened.error().detail));
    QVERIFY(!m_broker->waitForRequest(Api::SaslAuthenticate, 1, 300ms));
    // Another connection is not concerned.
    QVERIFY(refusal(wrongPassword(*m_broker)));
    QCOMPARE(m_broker->requests(Api::SaslAuthenticate), 2);
    // Forgotten, it is tried by new clients, and by no old one behind the user's back.
    config.refusal.shared->forget();
    QVERIFY(!m_broker->waitForRequest(Api::SaslAuthenticate, 2, 300ms));
    QVERIFY(!second.open(CallContext(10'000ms)));
    QCOMPARE(m_broker->requests(Api::SaslAuthenticate), 2);
    m_broker->wantLogin("admin", "Geheim");
    second.close();
    const auto again = second.open(CallContext(10'000ms));
    QVERIFY2(again, qPrintable(again ? QString() : describe(again.error())));
}

/// The password was changed: who came in with the old one stays.
void tst_KafkaLogin::whatIsConnectedGoesOnWhenAnotherIsRefused()
{
    SessionConfig config = m_broker->configAs(u"admin"_s, u"right"_s);
    config.refusal.shared = std::make_shared<LoginRefusal>();
    kafka::KafkaSession before(config);
    QVERIFY(before.open(CallContext(10'000ms)));
    m_broker->wantLogin("admin", "new");
    kafka::KafkaSession after(config);
    const auto opened = after.open(CallContext(10'000ms));
    QVERIFY(!opened);
    QCOMPARE(opened.error().networkCause, NetworkCause::LoginRefused);
    const int tried = m_broker->requests(Api::SaslAuthenticate);
    const auto topics = before.listTopics(CallContext(10'000ms));
    QVERIFY2(topics, qPrintable(topics ? QString() : describe(topics.error())));
    // Until its connection is lost, and then it does not try.
    m_broker->on(Api::Metadata, Then::HangUp);
    const auto lost = before.listTopics(CallContext(10'000ms));
    QVERIFY(!lost);
    QVERIFY(!m_broker->waitForRequest(Api::SaslAuthenticate, tried, 300ms));
    const auto refused = before.listTopics(CallContext(10'000ms));
    QVERIFY(!refused);
    QCOMPARE(refused.error().networkCause, NetworkCause::LoginRefused);
}

void tst_KafkaLogin::aMechanismThatIsNotOfferedIsNamed()
{
    m_broker->wantLogin("admin", "right", {"SCRAM-SHA-512", "OAUTHBEARER"});
    const auto error = refusal(m_broker->configAs(u"admin"_s, u"right"_s));
    QVERIFY(error);
    QCOMPARE(error->networkCause, NetworkCause::LoginRefused);
    QVERIFY2(error->detail.startsWith(u"PLAIN as admin: "_s), qPrintable(error->detail));
    QVERIFY2(error->detail.contains(u"SCRAM-SHA-512,OAUTHBEARER"_s), qPrintable(error->detail));
    QCOMPARE(m_broker->requests(Api::SaslAuthenticate), 0);
}

/// Which a user need not name.
void tst_KafkaLogin::aLoginByTheDefaultMechanismIsGuarded()
{
    SessionConfig config = m_broker->config();
    config.properties = {{u"security.protocol"_s, u"sasl_plaintext"_s},
                         {u"sasl.kerberos.min.time.before.relogin"_s, u"0"_s}, // asks for no ticket
                         {u"reconnect.backoff.ms"_s, u"1"_s},
                         {u"reconnect.backoff.max.ms"_s, u"1"_s}};
    kafka::KafkaSession session(config);
    const auto opened = session.open(CallContext(10'000ms));
    QVERIFY(!opened);
    QCOMPARE(opened.error().networkCause, NetworkCause::LoginRefused);
    QVERIFY2(opened.error().detail.startsWith(u"GSSAPI: "_s), qPrintable(opened.error().detail));
    QVERIFY(!m_broker->waitForRequest(Api::SaslHandshake, 1, 300ms));
}

void tst_KafkaLogin::aKerberosLoginWithoutATicketIsSaid()
{
    const QTemporaryDir empty;
    qputenv("KRB5CCNAME", "FILE:" + empty.filePath(u"none"_s).toLocal8Bit());
    m_broker->wantLogin("admin", "right", {"GSSAPI"});
    SessionConfig config = m_broker->config();
    config.properties = {{u"security.protocol"_s, u"sasl_plaintext"_s},
                         {u"sasl.kerberos.min.time.before.relogin"_s, u"0"_s}, // asks for no ticket
                         {u"reconnect.backoff.ms"_s, u"1"_s},
                         {u"reconnect.backoff.max.ms"_s, u"1"_s}};
    const auto error = refusal(config);
    QVERIFY(error);
    QVERIFY2(error->networkCause == NetworkCause::NoTicket, qPrintable(describe(*error)));
    QVERIFY(isLoginRefused(*error)); // a ticket does not come by asking again
    QVERIFY(!m_broker->waitForRequest(Api::SaslHandshake, 1, 300ms));
    QCOMPARE(m_broker->requests(Api::SaslAuthenticate), 0);
}

void tst_KafkaLogin::whatIsNoAnswerEndsTheLogin_data()
{
    QTest::addColumn<int>("api");
    QTest::addColumn<QByteArray>("instead"); // of the body; null: no answer
    for (const auto &[api, name] :
         {std::pair(Api::SaslHandshake, "handshake"), {Api::SaslAuthenticate, "authenticate"}}) {
        QTest::addRow("%s, hung up", name) << int(api) << QByteArray();
        QTest::addRow("%s, empty", name) << int(api) << QByteArray("");
        QTest::addRow("%s, cut", name) << int(api) << QByteArray("\0", 1);
        QTest::addRow("%s, huge count", name) << int(api) << be16(0) + be32(0x7fffffff);
    }
}
void tst_KafkaLogin::whatIsNoAnswerEndsTheLogin()
{
    QFETCH(const int, api);
    QFETCH(const QByteArray, instead);
    m_broker->on(
        Api(api),
        [instead](const QByteArray &answer) {
            return instead.isNull() ? QByteArray() : FakeKafkaBroker::withBody(answer, instead);
        },
        instead.isNull() ? Then::HangUp : Then::GoOn);
    kafka::KafkaSession session(m_broker->configAs(u"admin"_s, u"right"_s));
    const auto opened = session.open(CallContext(2'000ms));
    QVERIFY(!opened);
    const Error &error = opened.error();
    const QString said = describe(error);
    QVERIFY2(isConnectionFailure(error) && error.kind != ErrorKind::Timeout, qPrintable(said));
    QVERIFY2(!isLoginRefused(error), qPrintable(said)); // nobody said so: it may be tried again
    QVERIFY2(!error.detail.isEmpty() && !said.contains(u"right"_s), qPrintable(said));
    // And it is, with success, once the broker has come to itself.
    m_broker->on(Api(api), nullptr);
    const auto again = session.open(CallContext(10'000ms));
    QVERIFY2(again, qPrintable(again ? QString() : describe(again.error())));
}

void tst_KafkaLogin::silenceEndsWithTheLimit_data()
{
    QTest::addColumn<int>("api");
    QTest::newRow("versions") << int(Api::ApiVersions);
    QTest::newRow("handshake") << int(Api::SaslHandshake);
    QTest::newRow("authenticate") << int(Api::SaslAuthenticate);
}
void tst_KafkaLogin::silenceEndsWithTheLimit()
{
    QFETCH(const int, api);
    constexpr auto kLimit = 500ms;
    const qint64 overtimeMs = quickest([&](qint64 &took) {
        FakeKafkaBroker broker; // which knows of no earlier attempt
        broker.wantLogin("admin", "right");
        broker.on(Api(api), Then::StaySilent);
        QElapsedTimer timer;
        timer.start();
        auto arrival = std::async(std::launch::async, [&] {
            return broker.waitForRequest(Api(api), 0, kLimit) && timer.elapsed() < kLimit.count();
        });
        const auto error = refusal(broker.configAs(u"admin"_s, u"right"_s), kLimit);
        const qint64 elapsed = timer.elapsed();
        const bool cameInTime = arrival.get();
        QVERIFY(error);
        QCOMPARE(error->kind, ErrorKind::Timeout);
        if (!cameInTime)
            return; // the time was up before it came to what is looked at here
        if (Api(api) != Api::ApiVersions)
            QCOMPARE(error->detail, u"PLAIN as admin: no answer to the login"_s);
        took = elapsed - kLimit.count();
    });
    QVERIFY2(overtimeMs < kPromptMs, qPrintable(QString::number(overtimeMs)));
}

void tst_KafkaLogin::cancelInTheMidstOfItIsBackAtOnce_data()
{
    silenceEndsWithTheLimit_data();
}
void tst_KafkaLogin::cancelInTheMidstOfItIsBackAtOnce()
{
    QFETCH(const int, api);
    m_broker->on(Api(api), Then::StaySilent);
    const qint64 quickestMs = quickest([&](qint64 &took) {
        const int before = m_broker->requests(Api(api));
        std::stop_source stop;
        QElapsedTimer sinceCancel;
        auto canceller = std::async(std::launch::async, [&] {
            const bool came = m_broker->waitForRequest(Api(api), before);
            sinceCancel.start();
            stop.request_stop();
            return came;
        });
        kafka::KafkaSession session(m_broker->configAs(u"admin"_s, u"right"_s));
        const auto opened = session.open(CallContext(30000ms, stop.get_token()));
        QVERIFY(canceller.get());
        took = sinceCancel.elapsed();
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, ErrorKind::Cancelled);
    });
    QVERIFY2(quickestMs < kCancelledMs, qPrintable(QString::number(quickestMs)));
}

namespace
{

struct Examined {
    bool passed = false;
    QString text; ///< "step: result | advice", a line each
};

Examined examined(SessionConfig config)
{
    Examined result;
    const auto passed = doctor::examine(config, defaultSessionFactory(), CallContext(20000ms),
                                        [&result](const doctor::Check &check) {
                                            result.text +=
                                                u"%1: %2 | %3\n"_s.arg(doctor::stepName(check.step),
                                                                       check.result, check.advice);
                                        });
    result.passed = passed && *passed;
    return result;
}

} // namespace

void tst_KafkaLogin::theDoctorTriesOnce()
{
    const Examined refused = examined(wrongPassword(*m_broker));
    QVERIFY(!refused.passed);
    QVERIFY2(refused.text.contains(u"Invalid username or password"_s), qPrintable(refused.text));
    QVERIFY2(refused.text.contains(u"| Check user and password"_s), qPrintable(refused.text));
    QVERIFY2(!refused.text.contains(u"Geheim"_s), qPrintable(refused.text));
    QCOMPARE(m_broker->requests(Api::SaslAuthenticate), 1);
    const Examined good = examined(m_broker->configAs(u"admin"_s, u"right"_s));
    QVERIFY2(good.passed, qPrintable(good.text));
}

void tst_KafkaLogin::theDoctorNamesWhatIsOffered()
{
    m_broker->wantLogin("admin", "right", {"SCRAM-SHA-512", "OAUTHBEARER"});
    const Examined refused = examined(m_broker->configAs(u"admin"_s, u"right"_s));
    QVERIFY(!refused.passed);
    QVERIFY2(refused.text.contains(u"login: the broker does not offer PLAIN | "
                                   "Choose one of: SCRAM-SHA-512, OAUTHBEARER"_s),
             qPrintable(refused.text));
    QCOMPARE(m_broker->requests(Api::SaslAuthenticate), 0);
}

void tst_KafkaLogin::theDoctorSaysWhenNoLoginIsTaken()
{
    const FakeKafkaBroker open;
    const Examined refused = examined(open.configAs(u"admin"_s, u"right"_s));
    QVERIFY(!refused.passed);
    QVERIFY2(refused.text.contains(u"login: the broker takes no login on this port"_s),
             qPrintable(refused.text));
    const Examined good = examined(open.config());
    QVERIFY2(good.passed, qPrintable(good.text));
}

QTEST_GUILESS_MAIN(tst_KafkaLogin)
#include "tst_kafkalogin.moc"
