#include "tests/support/fakekafkabroker.h"

#include "core/base/bytereader.h"
#include "core/base/bytewriter.h"
#include "core/hash/crc32c.h"

#include <thread>

namespace topicscope::test
{

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace
{

using Api = FakeKafkaBroker::Api;

constexpr qint32 kNodeId = 1;
// Error codes of the protocol.
constexpr qint16 kUnknownTopic = 3;
constexpr qint16 kUnsupportedMechanism = 33;
constexpr qint16 kIllegalSaslState = 34;
constexpr qint16 kLoginFailed = 58;

struct Versions {
    qint16 api;
    qint16 last; ///< from 0
};
/// Some are no more than signs: librdkafka reads the newer record format only from brokers with
/// that version of Produce, and speaks Kerberos only with those that have JoinGroup (11) 0.
constexpr Versions kVersions[] = {{0, 3},  {1, 4},  {2, 1},  {3, 4},  {10, 2}, {11, 0},
                                  {15, 4}, {16, 2}, {17, 1}, {18, 3}, {36, 0}};

QByteArray takeString(ByteReader &in)
{
    const qint16 size = in.i16();
    return size < 0 ? QByteArray() : toByteArray(in.bytes(size)); // -1: null
}

QByteArray apiVersions(qint16 version)
{
    const bool flexible = version >= 3; // compact array, tagged fields
    const auto count = qint32(std::size(kVersions));
    QByteArray body = be16(0) + (flexible ? QByteArray(1, char(count + 1)) : be32(count));
    for (const Versions &each : kVersions)
        body += be16(each.api) + be16(0) + be16(each.last) + (flexible ? QByteArray(1, 0) : "");
    if (version >= 1)
        body += be32(0); // throttled for
    return body + (flexible ? QByteArray(1, 0) : "");
}

/// Calls `each` with topic and time or offset of a ListOffsets or Fetch request, whose entry has so
/// many bytes behind that; puts what it returns together in the request's own form.
template <typename Each>
QByteArray perPartition(ByteReader &in, qsizetype more, const Each &each)
{
    const qint32 topics = in.count(6);
    QByteArray body = be32(topics);
    for (qint32 i = 0; i < topics && in.ok(); ++i) {
        const QByteArray topic = takeString(in);
        const qint32 partitions = in.count(4);
        body += FakeKafkaBroker::string(topic) + be32(partitions);
        for (qint32 p = 0; p < partitions && in.ok(); ++p) {
            const qint32 id = in.i32();
            const qint64 number = in.i64();
            in.bytes(more);
            body += be32(id) + each(topic, number);
        }
    }
    return body;
}

qint64 endOf(const FakeKafkaBroker::Topic &topic)
{
    return topic.batches.isEmpty() ? 0 : topic.batches.constLast().end;
}

/// @param asked  set to how many partitions it is about
QByteArray fetch(ByteReader &in, const FakeKafkaBroker::Topics &topics, int &asked)
{
    in.i32(); // replica
    const qint32 maxWaitMs = in.i32();
    in.bytes(4 + 4 + 1); // least and most bytes, isolation
    bool isEmpty = true;
    QByteArray body = be32(0) + perPartition(in, 4, [&](const QByteArray &name, qint64 offset) {
                          const FakeKafkaBroker::Topic topic = topics.value(name);
                          ++asked;
                          QByteArray records;
                          for (const FakeKafkaBroker::Batch &batch : topic.batches)
                              records += batch.end > offset ? batch.bytes : QByteArray();
                          isEmpty = isEmpty && records.isEmpty();
                          // no error, high watermark, last stable offset, none aborted
                          return be16(0) + be64(endOf(topic)) + be64(endOf(topic)) + be32(0) +
                                 be32(qint32(records.size())) + records;
                      });
    // As brokers do while there is nothing.
    if (isEmpty)
        std::this_thread::sleep_for(std::chrono::milliseconds(std::min(maxWaitMs, 500)));
    return body;
}

} // namespace

FakeKafkaBroker::FakeKafkaBroker()
    : FakeKafkaBroker(Topics{{"orders", {}}})
{
}

FakeKafkaBroker::FakeKafkaBroker(Topics topics)
    : m_topics(std::move(topics))
    , m_broker([this](HostileBroker::Peer &peer) {
        ++m_connections;
        serve(peer);
        --m_connections;
    })
{
}

FakeKafkaBroker::~FakeKafkaBroker() = default;

SessionConfig FakeKafkaBroker::config() const
{
    SessionConfig config;
    config.setBroker(u"kafka://127.0.0.1:%1"_s.arg(m_broker.port()));
    return config;
}

SessionConfig FakeKafkaBroker::configAs(const QString &user, const QString &password) const
{
    SessionConfig config = this->config();
    config.properties = {{u"security.protocol"_s, u"sasl_plaintext"_s},
                         {u"sasl.mechanism"_s, u"PLAIN"_s},
                         {u"sasl.username"_s, user},
                         {u"sasl.password"_s, password}};
    return config;
}

void FakeKafkaBroker::wantLogin(const QByteArray &user, const QByteArray &password,
                                const QByteArrayList &mechanisms)
{
    const std::scoped_lock lock(m_mutex);
    m_token = '\0' + user + '\0' + password;
    m_mechanisms = mechanisms;
}

void FakeKafkaBroker::on(Api api, Change change, Then then)
{
    const std::scoped_lock lock(m_mutex);
    m_scripts[api] = {std::move(change), then};
}

void FakeKafkaBroker::on(Api api, Then then)
{
    on(
        api, [](const QByteArray &) { return QByteArray(); }, then);
}

int FakeKafkaBroker::requests(Api api) const
{
    const std::scoped_lock lock(m_mutex);
    const auto found = m_requests.find(api);
    return found == m_requests.end() ? 0 : found->second;
}

bool FakeKafkaBroker::waitForRequest(Api api, int before, std::chrono::milliseconds limit) const
{
    std::unique_lock lock(m_mutex);
    return m_came.wait_for(lock, limit, [&] {
        const auto found = m_requests.find(api);
        return found != m_requests.end() && found->second > before;
    });
}

QByteArrayList FakeKafkaBroker::offsetsAskedFor() const
{
    const std::scoped_lock lock(m_mutex);
    return m_offsetsAskedFor;
}

QByteArray FakeKafkaBroker::string(const QByteArray &text)
{
    return be16(qint16(text.size())) + text;
}

QByteArray FakeKafkaBroker::withBody(const QByteArray &answer, const QByteArray &body)
{
    return be32(qint32(4 + body.size())) + answer.mid(4, 4) + body;
}

void FakeKafkaBroker::serve(HostileBroker::Peer &peer)
{
    bool loggedIn = false;
    while (const auto request = peer.read()) {
        Script script;
        {
            const std::scoped_lock lock(m_mutex);
            if (const auto found = m_scripts.find(Api(request->apiKey)); found != m_scripts.end())
                script = found->second;
        }
        const auto body = bodyFor(*request, loggedIn);
        if (!body && !script.change)
            return;
        QByteArray answer =
            withBody(be32(0) + be32(request->correlationId), body.value_or(QByteArray()));
        if (script.change)
            answer = script.change(answer);
        if (!peer.write(answer) || script.then == Then::HangUp)
            return;
        if (script.then == Then::StaySilent) {
            peer.waitForEnd();
            return;
        }
    }
}

std::optional<QByteArray> FakeKafkaBroker::bodyFor(const Request &request, bool &loggedIn)
{
    const auto api = Api(request.apiKey);
    std::unique_lock lock(m_mutex);
    ++m_requests[api];
    m_came.notify_all();
    ByteReader in(asBytes(request.body));
    takeString(in); // the client's name
    switch (api) {
    case Api::ApiVersions:
        return apiVersions(request.apiVersion);
    case Api::SaslHandshake:
        return handshake(takeString(in));
    case Api::SaslAuthenticate:
        return authenticate(toByteArray(in.bytes(in.i32())), loggedIn);
    default:
        break;
    }
    if (m_token && !loggedIn)
        return std::nullopt;
    switch (api) {
    case Api::Metadata: {
        QByteArrayList names;
        const qint32 count = in.i32(); // -1: all
        for (qint32 i = 0; i < count && in.ok(); ++i)
            names.append(takeString(in));
        return metadata(count < 0 ? std::nullopt : std::optional(names));
    }
    case Api::ListOffsets: {
        in.i32(); // replica
        QByteArray last;
        return perPartition(in, 0, [&](const QByteArray &topic, qint64 time) {
            if (topic != last)
                m_offsetsAskedFor.append(last = topic);
            const qint64 offset = time == -1 ? endOf(m_topics.value(topic)) : 0;
            return be16(0) + be64(-1) + be64(offset); // no error, no time
        });
    }
    case Api::Fetch: {
        lock.unlock();
        int asked = 0;
        QByteArray body = fetch(in, m_topics, asked);
        lock.lock();
        m_fetchedTogether = std::max(m_fetchedTogether, asked);
        return body;
    }
    default:
        return std::nullopt;
    }
}

int FakeKafkaBroker::fetchedTogether() const
{
    const std::scoped_lock lock(m_mutex);
    return m_fetchedTogether;
}

QByteArray FakeKafkaBroker::handshake(const QByteArray &mechanism) const
{
    if (!m_token)
        return be16(kIllegalSaslState) + be32(0);
    QByteArray body = be16(m_mechanisms.contains(mechanism) ? 0 : kUnsupportedMechanism);
    body += be32(qint32(m_mechanisms.size()));
    for (const QByteArray &each : m_mechanisms)
        body += string(each);
    return body;
}

QByteArray FakeKafkaBroker::authenticate(const QByteArray &token, bool &loggedIn) const
{
    loggedIn = token == m_token;
    return loggedIn ? be16(0) + be16(-1) + be32(0)
                    : be16(kLoginFailed) + string("Invalid username or password") + be32(0);
}

QByteArray FakeKafkaBroker::metadataStart() const
{
    return be32(0) + be32(1) + be32(kNodeId) + string("127.0.0.1") + be32(m_broker.port()) +
           be16(-1) + string("fake-cluster") + be32(kNodeId); // -1: no rack
}

QByteArray FakeKafkaBroker::metadata(const std::optional<QByteArrayList> &names)
{
    if (!names && !m_listing.isEmpty())
        return m_listing;
    QByteArray topics;
    qint32 count = 0;
    const auto add = [&](const QByteArray &name, const Topic &topic) {
        topics += topicBody(name, topic);
        ++count;
    };
    if (names) {
        for (const QByteArray &name : *names)
            add(name, m_topics.value(name, {0, kUnknownTopic, false}));
    } else {
        for (auto topic = m_topics.cbegin(); topic != m_topics.cend(); ++topic) {
            if (topic->listed)
                add(topic.key(), *topic);
        }
    }
    QByteArray body = metadataStart() + be32(count) + topics;
    if (!names)
        m_listing = body;
    return body;
}

QByteArray FakeKafkaBroker::topicBody(const QByteArray &name, const Topic &topic)
{
    const QByteArray here = be32(1) + be32(kNodeId); // replicas; in sync
    const qint32 partitions = topic.error == 0 ? topic.partitions : 0;
    QByteArray body = be16(topic.error) + string(name) + QByteArray(1, 0); // not internal
    body += be32(partitions);
    for (qint32 id = 0; id < partitions; ++id)
        body += be16(0) + be32(id) + be32(kNodeId) + here + here;
    return body;
}

FakeKafkaBroker::Batch FakeKafkaBroker::batch(qint64 first, qint32 count, int codec,
                                              const QByteArray &packed)
{
    const QByteArray summed = be16(qint16(codec)) + be32(count - 1) + be64(0) + be64(0) + // times
                              be64(-1) + be16(-1) + be32(-1) + // no producer
                              be32(count) + packed;
    const QByteArray body = be32(0) + QByteArray(1, 2) + // leader epoch; format
                            be32(qint32(crc32c(asBytes(summed)))) + summed;
    return {first, first + count, be64(first) + be32(qint32(body.size())) + body};
}

QByteArray FakeKafkaBroker::record(int index, const QByteArray &value)
{
    const auto number = [](qsizetype n) { return QByteArray(1, char(n * 2)); }; // zigzag, 0…63
    const QByteArray body = QByteArray(1, 0) + number(0) +
                            number(index) +    // attributes, time, offset
                            QByteArray(1, 1) + // -1: no key
                            number(value.size()) + value + number(0);
    return number(body.size()) + body;
}

FakeKafkaBroker::Topics manyTopics(qsizetype count, int partitions)
{
    FakeKafkaBroker::Topics topics;
    for (qsizetype i = 0; i < count; ++i)
        topics.insert("topic-" + QByteArray::number(i).rightJustified(5, '0'), {partitions});
    return topics;
}

} // namespace topicscope::test
