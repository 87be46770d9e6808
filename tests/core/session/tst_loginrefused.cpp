#include "core/session/sessionhandle.h"
#include "tests/support/fakesession.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace topicscope;
using namespace topicscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

FetchRequest fetchFrom(qint64 offset)
{
    FetchRequest request;
    request.partition = {u"orders"_s, PartitionId{0}};
    request.offset = Offset{offset};
    return request;
}

PublishRequest aRecord()
{
    PublishRequest request;
    request.topic = u"orders"_s;
    request.partition = PartitionId{0};
    request.value = "a record";
    return request;
}

} // namespace

/// A login that was refused is tried again only when the user says so.
class tst_LoginRefused : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_broker.emplace();
        m_broker->addTopic(u"orders"_s, 1);
        m_broker->appendMany(u"orders"_s, 0, 5);
        m_config = {};
        m_config.host = u"broker.test"_s;
        m_config.reconnectFirst = m_config.reconnectMax = 20ms;
    }

    void itIsNotRepeatedByItself()
    {
        m_broker->failNext(Call::Open, FakeBroker::loginRefusal());
        const SessionHandle handle(m_broker->factory(), m_config);
        QTRY_COMPARE(handle.state(), ConnectionState::Lost);
        // A connection lost for another reason comes back in the same time.
        const auto other = connected();
        const QSignalSpy changes(other.get(), &SessionHandle::stateChanged);
        m_broker->failNext(Call::ListTopics, FakeBroker::networkError());
        other->listTopics();
        QTRY_COMPARE(changes.count(), 2);
        QCOMPARE(other->state(), ConnectionState::Connected);
        QCOMPARE(handle.state(), ConnectionState::Lost);
    }

    void theRestOfAFetchFailsWithoutAnotherLogin()
    {
        const auto handle = connected();
        m_broker->failNext(Call::Fetch, FakeBroker::loginRefusal());
        const int logins = m_broker->calls(Call::Open);
        const QSignalSpy failed(handle.get(), &SessionHandle::fetchFailed);
        const QSignalSpy finished(handle.get(), &SessionHandle::fetchFinished);
        handle->fetch({fetchFrom(0), fetchFrom(1), fetchFrom(2)});
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(failed.count(), 3);
        QCOMPARE(failed.at(2).at(2).value<Error>().detail, u"PLAIN as me"_s);
        QCOMPARE(m_broker->calls(Call::Fetch), 1);
        QCOMPARE(m_broker->calls(Call::Open), logins);
    }

    void afterwardsNobodyIsAsked()
    {
        const auto handle = connected();
        m_broker->failNext(Call::ListTopics, FakeBroker::loginRefusal());
        handle->listTopics();
        QTRY_COMPARE(handle->state(), ConnectionState::Lost);

        const QSignalSpy failed(handle.get(), &SessionHandle::failed);
        const QSignalSpy fetchFailed(handle.get(), &SessionHandle::fetchFailed);
        const QSignalSpy finished(handle.get(), &SessionHandle::fetchFinished);
        const auto calls = [this] {
            return QList{m_broker->calls(Call::Open), m_broker->calls(Call::ListTopics),
                         m_broker->calls(Call::Fetch), m_broker->calls(Call::Publish)};
        };
        const auto before = calls();
        handle->listTopics();
        handle->fetch({fetchFrom(0)});
        QVERIFY(handle->publish(aRecord()));
        handle->describeTopics({u"orders"_s});
        QTRY_COMPARE(finished.count(), 1);
        QTRY_COMPARE(failed.count(), 3);
        QCOMPARE(fetchFailed.count(), 1);
        for (const auto &each : failed)
            QCOMPARE(each[1].value<Error>().networkCause, NetworkCause::LoginRefused);
        QCOMPARE(calls(), before);
        QCOMPARE(m_broker->values(u"orders"_s, 0).size(), 5);

        handle->reconnectNow();
        QTRY_COMPARE(handle->state(), ConnectionState::Connected);
        const QSignalSpy fetched(handle.get(), &SessionHandle::fetched);
        handle->fetch({fetchFrom(0)});
        QTRY_COMPARE(fetched.count(), 1);
    }

    void aRetryThatWasDueIsGivenUp()
    {
        const auto handle = connected();
        const auto other = connected();
        m_broker->failNext(Call::ListTopics, FakeBroker::networkError());
        m_broker->failNext(Call::Fetch, FakeBroker::loginRefusal());
        handle->listTopics();
        handle->fetch({fetchFrom(0)});
        QTRY_VERIFY(handle->lastError().networkCause == NetworkCause::LoginRefused);
        // In the time in which another one is lost and comes back, twice.
        for (int i = 0; i < 2; ++i) {
            const QSignalSpy changes(other.get(), &SessionHandle::stateChanged);
            m_broker->failNext(Call::ListTopics, FakeBroker::networkError());
            other->listTopics();
            QTRY_COMPARE(changes.count(), 2);
        }
        QCOMPARE(handle->state(), ConnectionState::Lost);
        QCOMPARE(handle->lastError().networkCause, NetworkCause::LoginRefused);
    }

    /// The back-off's end forgets no refusal, whose request ran meanwhile.
    void aRetryThatCameForgetsNoRefusal()
    {
        const auto handle = connected();
        const auto other = connected();
        m_broker->block(Call::Publish);
        m_broker->failNext(Call::ListTopics, FakeBroker::networkError());
        m_broker->failNext(Call::Publish, FakeBroker::loginRefusal());
        handle->listTopics();
        QVERIFY(handle->publish(aRecord()));
        QTRY_COMPARE(m_broker->blocked(Call::Publish), 1);
        for (int i = 0; i < 2; ++i) { // the retry comes
            const QSignalSpy changes(other.get(), &SessionHandle::stateChanged);
            m_broker->failNext(Call::ListTopics, FakeBroker::networkError());
            other->listTopics();
            QTRY_COMPARE(changes.count(), 2);
        }
        m_broker->release(Call::Publish);
        QTRY_COMPARE(handle->lastError().networkCause, NetworkCause::LoginRefused);
        const int logins = m_broker->calls(Call::Open);
        const int lists = m_broker->calls(Call::ListTopics);
        const QSignalSpy failed(handle.get(), &SessionHandle::failed);
        handle->listTopics();
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(m_broker->calls(Call::ListTopics), lists);
        QCOMPARE(m_broker->calls(Call::Open), logins);
    }

    /// "Connect again" is not lost when a request is just being refused.
    void connectingAgainOverrulesTheRequestThatRuns()
    {
        const auto handle = connected();
        m_broker->block(Call::ListTopics);
        m_broker->failNext(Call::ListTopics, FakeBroker::loginRefusal());
        handle->listTopics();
        QTRY_COMPARE(m_broker->blocked(Call::ListTopics), 1);
        const QSignalSpy changes(handle.get(), &SessionHandle::stateChanged);
        handle->reconnectNow();
        m_broker->release(Call::ListTopics);
        QTRY_COMPARE(changes.count(), 3); // on its way, lost, and back
        QCOMPARE(handle->state(), ConnectionState::Connected);
    }

    void lostForAnotherReasonIsTold()
    {
        const auto handle = connected();
        m_broker->setDown(true);
        handle->listTopics();
        QTRY_COMPARE(handle->state(), ConnectionState::Lost);
        const QSignalSpy changes(handle.get(), &SessionHandle::stateChanged);
        m_broker->failNext(Call::Open, FakeBroker::loginRefusal(), 1000);
        m_broker->setDown(false);
        QTRY_COMPARE(changes.count(), 1);
        QCOMPARE(handle->state(), ConnectionState::Lost);
        QCOMPARE(handle->lastError().detail, u"PLAIN as me"_s);
    }

    void lostForTheSameReasonIsNoNews()
    {
        const auto handle = connected();
        m_broker->setDown(true);
        handle->listTopics();
        QTRY_COMPARE(handle->state(), ConnectionState::Lost);
        const QSignalSpy changes(handle.get(), &SessionHandle::stateChanged);
        m_broker->failNext(
            Call::Open, Error::make(ErrorKind::Network, u"connection refused after 3 ms"_s), 1000);
        m_broker->setDown(false);
        QTRY_COMPARE(handle->lastError().detail, u"connection refused after 3 ms"_s);
        QCOMPARE(changes.count(), 0);
    }

private:
    std::unique_ptr<SessionHandle> connected()
    {
        auto handle = std::make_unique<SessionHandle>(m_broker->factory(), m_config);
        if (!QTest::qWaitFor([&] { return handle->state() == ConnectionState::Connected; }))
            qFatal("never connected");
        return handle;
    }

    std::optional<FakeBroker> m_broker;
    SessionConfig m_config;
};

QTEST_GUILESS_MAIN(tst_LoginRefused)
#include "tst_loginrefused.moc"
