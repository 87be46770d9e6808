#pragma once

#include "core/session/sessionconfig.h"
#include "tests/support/hostilebroker.h"

#include <QByteArrayList>
#include <QMap>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace topicscope::test
{

/// A Kafka broker of one node that answers as a test wants, for what librdkafka's cluster in memory
/// lacks: logins, and answers no broker would give. It answers what looks at topics and reads them,
/// in old versions that clients still ask for; its partitions are empty unless a test fills them.
/// Any other request ends the connection, unless a test says what it gets. Source: Kafka protocol
/// guide. Thread: any.
class FakeKafkaBroker
{
public:
    enum class Api : qint16 {
        Produce = 0,
        Fetch = 1,
        ListOffsets = 2,
        Metadata = 3,
        FindCoordinator = 10,
        ListGroups = 16,
        SaslHandshake = 17,
        ApiVersions = 18,
        SaslAuthenticate = 36,
    };
    enum class Then {
        GoOn,
        HangUp,
        StaySilent, ///< until the client goes, ten seconds at most
    };
    /// What is sent instead of the right answer, a whole frame.
    using Change = std::function<QByteArray(const QByteArray &answer)>;

    /// Records as they are stored, of offsets from `first` to before `end`.
    struct Batch {
        qint64 first = 0;
        qint64 end = 0;
        QByteArray bytes = {};
    };
    struct Topic {
        int partitions = 1;
        qint16 error = 0;   ///< instead of partitions
        bool listed = true; ///< when all topics are asked for: brokers leave out what is denied
        QList<Batch> batches = {}; ///< of each partition, in order, from 0 on
    };
    using Topics = QMap<QByteArray, Topic>;

    FakeKafkaBroker(); ///< with the topic "orders" of one partition
    explicit FakeKafkaBroker(Topics topics);
    ~FakeKafkaBroker();
    Q_DISABLE_COPY_MOVE(FakeKafkaBroker)

    /// Without a login.
    SessionConfig config() const;
    /// With a login, by PLAIN.
    SessionConfig configAs(const QString &user, const QString &password) const;

    /// From now on nothing is told without this login.
    void wantLogin(const QByteArray &user, const QByteArray &password,
                   const QByteArrayList &mechanisms = {"PLAIN"});
    /// What requests of this kind get from now on.
    void on(Api api, Change change, Then then = Then::GoOn);
    /// The same: nothing.
    void on(Api api, Then then);

    /// Requests of this kind that came so far.
    int requests(Api api) const;
    /// Waits until more have come than `before`. @return whether they have.
    bool waitForRequest(Api api, int before = 0,
                        std::chrono::milliseconds limit = std::chrono::seconds(10)) const;
    /// Connections that are open now.
    int connections() const { return m_connections; }
    /// Topics whose offsets were asked for, once each.
    QByteArrayList offsetsAskedFor() const;
    /// Partitions one Fetch request was about, at most.
    int fetchedTogether() const;

    // The protocol's parts, for answers that are wrong in one place only.
    static QByteArray string(const QByteArray &text);
    /// The same answer with another body.
    static QByteArray withBody(const QByteArray &answer, const QByteArray &body);
    /// A batch of format 2 with a right checksum: `packed` is what stands for its `count` records,
    /// by this codec (0: none, 1: gzip, 2: snappy, 3: lz4, 4: zstd).
    static Batch batch(qint64 first, qint32 count, int codec, const QByteArray &packed);
    /// A record of format 2 without key and headers, `index` in its batch. Both fit 63.
    static QByteArray record(int index, const QByteArray &value);
    /// The start of a metadata body: this broker alone, as the controller. Its topics come next.
    QByteArray metadataStart() const;

private:
    struct Script {
        Change change;
        Then then = Then::GoOn;
    };
    using Request = HostileBroker::Peer::Request;

    void serve(HostileBroker::Peer &peer);
    /// Counts the request; nullopt: it is none of ours.
    std::optional<QByteArray> bodyFor(const Request &request, bool &loggedIn);
    QByteArray handshake(const QByteArray &mechanism) const;
    QByteArray authenticate(const QByteArray &token, bool &loggedIn) const;
    QByteArray metadata(const std::optional<QByteArrayList> &names);
    static QByteArray topicBody(const QByteArray &name, const Topic &topic);

    const Topics m_topics;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_came;
    std::atomic<int> m_connections = 0;
    std::map<Api, Script> m_scripts;
    std::map<Api, int> m_requests;
    QByteArrayList m_offsetsAskedFor;
    int m_fetchedTogether = 0;
    std::optional<QByteArray> m_token; ///< PLAIN's, of the login wanted
    QByteArrayList m_mechanisms;
    QByteArray m_listing;   ///< metadata of all topics, made once
    HostileBroker m_broker; ///< last: its threads use all of the above
};

/// "topic-00000", …
FakeKafkaBroker::Topics manyTopics(qsizetype count, int partitions);

} // namespace topicscope::test
