#include "core/doctor/doctor.h"

#include "core/base/digits.h"
#include "core/booblik/hostlookup.h"
#include "core/doctor/peerprobe.h"
#include "core/doctor/tlsprobe.h"
#include "core/profiles/secrets.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFileInfo>
#include <QNetworkProxy>
#include <QSslSocket>
#include <QTimer>

#include <algorithm>

namespace topicscope::doctor
{

using namespace Qt::StringLiterals;
using std::chrono::milliseconds;
using Step = Check::Step;

namespace
{

constexpr milliseconds kPatience{5'000}; ///< at most, with one step of one address
constexpr qint32 kFetchBytes = 64 * 1024;
constexpr qsizetype kTopicsTried = 50; ///< for one with records

QString tr(const char *text)
{
    return QCoreApplication::translate("Doctor", text);
}

QString counted(qsizetype number, const QString &one, const QString &many)
{
    return number == 1 ? one : many.arg(number);
}

struct Address {
    QString host;
    quint16 port = 0;

    QString text() const
    {
        return (host.contains(u':') ? u'[' + host + u']' : host) + u':' + QString::number(port);
    }
};

/// The security.protocol of a config, taken apart.
struct Security {
    bool tls = false;
    bool login = false;

    explicit Security(const SessionConfig &config)
    {
        const QString protocol = config.properties.value(u"security.protocol"_s).toLower();
        tls = protocol.endsWith(u"ssl"_s);
        login = protocol.startsWith(u"sasl"_s);
    }
};

/// As waitForConnected(), which gives the attempt up when its time is over and so cannot be called
/// in slices.
bool waitUntilConnected(QSslSocket &socket, const CallContext &context)
{
    QEventLoop loop;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (context.interruption())
            loop.quit();
    });
    QObject::connect(&socket, &QAbstractSocket::connected, &loop, &QEventLoop::quit);
    QObject::connect(&socket, &QAbstractSocket::errorOccurred, &loop, &QEventLoop::quit);
    look.start(kWaitSlice);
    if (socket.state() == QAbstractSocket::ConnectingState)
        loop.exec();
    return socket.state() == QAbstractSocket::ConnectedState;
}

class Examination
{
public:
    Examination(const SessionConfig &config, const CallContext &context, const OnCheck &onCheck)
        : m_config(config)
        , m_security(config)
        , m_context(context)
        , m_onCheck(onCheck)
    {
    }

    /// Name to protocol of one server. False: this one cannot be used.
    Result<bool> server(const Address &address);
    /// Of a source that is a file. False: something failed.
    bool file();
    /// What rests on a session. False: something failed.
    Result<bool> session(const SessionFactory &factory);

private:
    bool pass(Step step, const QString &subject, const QString &result);
    void tell(Step step, const QString &subject, Check::Outcome outcome, const QString &result,
              const QString &advice);
    bool fail(Step step, const QString &subject, const QString &result, const QString &advice);
    Result<bool> fail(Step step, const QString &subject, const Error &error);

    Result<QList<QHostAddress>> addresses(const Address &address);
    /// A new connection to the first address that takes one; null: none does, `m_refusal` says why.
    std::unique_ptr<QSslSocket> connectTo(const Address &address,
                                          const QList<QHostAddress> &addresses);
    Result<bool> tls(QSslSocket &socket, const Address &address,
                     const QList<QHostAddress> &addresses);
    Result<bool> protocol(QSslSocket &socket, const Address &address,
                          const QList<QHostAddress> &addresses);
    Result<bool> login(QSslSocket &socket, const Address &address);
    Result<bool> reaches(const BrokerInfo &broker);
    Result<bool> fetchOne(BrokerSession &session, const TopicList &topics);
    milliseconds patience() const { return std::min(m_config.connectTimeout, kPatience); }
    QString wanted() const { return m_config.engine == Engine::Kafka ? u"Kafka"_s : u"booblik"_s; }

    const SessionConfig &m_config;
    Security m_security;
    const CallContext &m_context;
    const OnCheck &m_onCheck;
    QElapsedTimer m_clock; ///< of the step that runs
    QString m_refusal;
    bool m_nothingListens = false;
};

bool Examination::pass(Step step, const QString &subject, const QString &result)
{
    tell(step, subject, Check::Outcome::Passed, result, {});
    return true;
}

bool Examination::fail(Step step, const QString &subject, const QString &result,
                       const QString &advice)
{
    tell(step, subject, Check::Outcome::Failed, result, advice);
    return false;
}

void Examination::tell(Step step, const QString &subject, Check::Outcome outcome,
                       const QString &result, const QString &advice)
{
    // The words of others may repeat what they were given.
    m_onCheck({step, subject, outcome, milliseconds(m_clock.elapsed()),
               hideSecrets(result, m_config.properties), advice});
    m_clock.start();
}

/// A step that ended with an error; an interruption ends the examination.
Result<bool> Examination::fail(Step step, const QString &subject, const Error &error)
{
    if (error.kind == ErrorKind::Cancelled || m_context.deadline.hasExpired())
        return error;
    const QString what = error.kind == ErrorKind::Timeout ? tr("No answer in time.")
                         : error.detail.isEmpty()         ? errorKindName(error.kind)
                                                          : error.detail;
    return fail(step, subject, what, {});
}

Result<QList<QHostAddress>> Examination::addresses(const Address &address)
{
    auto found = booblik::lookUpHost(address.host, m_context.within(patience()));
    if (!found)
        return found.error();
    QStringList texts;
    for (const QHostAddress &each : *found)
        texts << each.toString();
    if (texts != QStringList{address.host})
        pass(Step::Name, address.text(), texts.join(u", "_s));
    return found;
}

std::unique_ptr<QSslSocket> Examination::connectTo(const Address &address,
                                                   const QList<QHostAddress> &addresses)
{
    m_nothingListens = false;
    for (const QHostAddress &each : addresses) {
        auto socket = std::make_unique<QSslSocket>();
        socket->setProxy(QNetworkProxy::NoProxy);
        socket->connectToHost(each, address.port);
        if (waitUntilConnected(*socket, m_context.within(patience())))
            return socket;
        m_refusal = socket->state() == QAbstractSocket::UnconnectedState ? socket->errorString()
                                                                         : tr("No answer in time.");
        m_nothingListens = socket->error() == QAbstractSocket::ConnectionRefusedError;
        if (m_context.interruption())
            break;
    }
    return nullptr;
}

Result<bool> Examination::server(const Address &address)
{
    m_clock.start();
    const QString subject = address.text();
    const auto found = addresses(address);
    if (!found) {
        if (found.error().kind != ErrorKind::Network)
            return fail(Step::Name, subject, found.error());
        return fail(Step::Name, subject, found.error().detail,
                    tr("Check the spelling. The name must be known to this machine's resolver; an "
                       "address works without one."));
    }
    const auto socket = connectTo(address, *found);
    if (const auto interruption = m_context.interruption())
        return *interruption;
    if (!socket) {
        return fail(Step::Connect, subject, m_refusal,
                    m_nothingListens
                        ? tr("The host answers and nothing listens on this port: check the port, "
                             "and whether the broker is running.")
                        : tr("Nothing answered: check the address, and whether a firewall stands "
                             "between."));
    }
    pass(Step::Connect, subject, tr("connected to %1").arg(socket->peerAddress().toString()));
    if (m_security.tls) {
        auto secured = tls(*socket, address, *found);
        if (!secured || !*secured)
            return secured;
    }
    return protocol(*socket, address, *found);
}

Result<bool> Examination::tls(QSslSocket &socket, const Address &address,
                              const QList<QHostAddress> &addresses)
{
    const QString subject = address.text();
    const auto found = shakeHands(socket, address.host, m_config.properties, patience(), m_context);
    if (!found) {
        if (found.error().kind == ErrorKind::InvalidArgument)
            return fail(Step::Tls, subject, found.error().detail,
                        tr("Check the files of the connection's TLS settings."));
        return fail(Step::Tls, subject, found.error());
    }
    if (!found->established) {
        // A plain listener takes the handshake for nonsense.
        QString advice = tr("Is this port really a TLS port, and does the broker demand a client "
                            "certificate?");
        if (const auto plain = connectTo(address, addresses)) {
            const auto peer = askWhoItIs(*plain, patience(), m_context);
            if (!peer)
                return peer.error();
            if (peer->kind == Peer::Kind::Kafka)
                advice = tr("This port speaks Kafka without TLS: choose a security protocol "
                            "without it, or the broker's TLS port.");
            else if (peer->kind == Peer::Kind::Booblik)
                advice = tr("This is a booblik broker, which has no TLS.");
        }
        return fail(Step::Tls, subject, found->failure, advice);
    }
    const QString names = found->names.join(u", "_s);
    if (found->wrongName) {
        return fail(
            Step::Tls, subject,
            tr("the certificate is for %1, and not for %2").arg(names, address.host),
            tr("Use one of those names as the address; or, if you trust this network, "
               "switch off the check of the host name (the certificate is still checked)."));
    }
    if (!found->problems.isEmpty()) {
        return fail(Step::Tls, subject,
                    tr("the certificate for %1, issued by %2, is not trusted: %3")
                        .arg(names, found->issuer, found->problems.join(u"; "_s)),
                    tr("Give the CA certificate that signed it."));
    }
    return pass(Step::Tls, subject,
                tr("%1; certificate for %2, issued by %3, valid until %4")
                    .arg(found->version, names, found->issuer,
                         found->expires.date().toString(Qt::ISODate)));
}

Result<bool> Examination::protocol(QSslSocket &socket, const Address &address,
                                   const QList<QHostAddress> &addresses)
{
    const QString subject = address.text();
    const auto peer = askWhoItIs(socket, patience(), m_context);
    if (!peer)
        return fail(Step::Protocol, subject, peer.error());
    const bool wantsKafka = m_config.engine == Engine::Kafka;
    switch (peer->kind) {
    case Peer::Kind::Kafka:
        if (!wantsKafka)
            return fail(Step::Protocol, subject, tr("an Apache Kafka broker"),
                        tr("Choose the engine Apache Kafka: kafka://%1").arg(subject));
        pass(Step::Protocol, subject, tr("an Apache Kafka broker"));
        return login(socket, address);
    case Peer::Kind::Booblik:
        if (wantsKafka)
            return fail(Step::Protocol, subject, tr("a booblik broker"),
                        tr("Choose the engine booblik: %1 without kafka://").arg(subject));
        return pass(Step::Protocol, subject, tr("a booblik broker"));
    case Peer::Kind::Http:
        return fail(Step::Protocol, subject, tr("a web server: it answers with HTTP"),
                    tr("Check the port: the broker's is another."));
    case Peer::Kind::Tls:
        return fail(Step::Protocol, subject, tr("it speaks TLS"),
                    tr("Choose a security protocol with TLS, or the broker's plain port."));
    case Peer::Kind::Closed:
    case Peer::Kind::Silent:
    case Peer::Kind::Other:
        break;
    }
    if (!m_security.tls) {
        if (const auto second = connectTo(address, addresses)) {
            const auto secured = shakeHands(*second, address.host, {}, patience(), m_context);
            if (!secured)
                return secured.error();
            if (secured->established)
                return fail(Step::Protocol, subject,
                            tr("it hangs up on plain text and speaks TLS (certificate for %1)")
                                .arg(secured->names.join(u", "_s)),
                            tr("Choose a security protocol with TLS, or the broker's plain port."));
        }
    }
    if (peer->kind == Peer::Kind::Silent)
        return fail(Step::Protocol, subject, tr("no answer to a first request"),
                    tr("Something listens there and stays silent: another service, or a broker "
                       "that hangs."));
    if (peer->kind == Peer::Kind::Closed)
        return fail(Step::Protocol, subject, tr("it hung up without an answer"),
                    m_security.tls
                        ? tr("The broker may demand a client certificate, or not trust the one "
                             "given.")
                        : tr("Is this the port of a %1 broker?").arg(wanted()));
    return fail(Step::Protocol, subject,
                tr("neither Kafka nor booblik; it answers with %1")
                    .arg(QString::fromLatin1(peer->firstBytes.toHex(' '))),
                tr("Check the port: another service listens there."));
}

Result<bool> Examination::login(QSslSocket &socket, const Address &address)
{
    const QString mechanism =
        m_security.login
            ? m_config.properties.value(
                  u"sasl.mechanism"_s, m_config.properties.value(u"sasl.mechanisms"_s, u"GSSAPI"_s))
            : u"NONE"_s;
    const auto wish = askForLogin(socket, mechanism, patience(), m_context);
    if (!wish)
        return fail(Step::Login, address.text(), wish.error());
    if (!*wish)
        return true; // it did not say; the login itself will
    const QString offered = (*wish)->mechanisms.join(u", "_s);
    if ((*wish)->wanted && !m_security.login)
        return fail(Step::Login, address.text(), tr("the broker wants a login"),
                    tr("Choose a security protocol with SASL and one of: %1").arg(offered));
    if (!(*wish)->wanted && m_security.login)
        return fail(Step::Login, address.text(), tr("the broker takes no login on this port"),
                    tr("Choose a security protocol without SASL, or another port."));
    if (m_security.login && !(*wish)->mechanisms.contains(mechanism))
        return fail(Step::Login, address.text(), tr("the broker does not offer %1").arg(mechanism),
                    tr("Choose one of: %1").arg(offered));
    return m_security.login ? pass(Step::Login, address.text(), tr("%1 is offered").arg(mechanism))
                            : pass(Step::Login, address.text(), tr("none is needed"));
}

bool Examination::file()
{
    m_clock.start();
    const QFileInfo info(m_config.host);
    const QString subject = info.absoluteFilePath();
    if (!info.exists())
        return fail(Step::File, subject, tr("there is no such file"), tr("Check its path."));
    if (!info.isFile())
        return fail(Step::File, subject, tr("this is no file"), tr("Give the path of a file."));
    if (!info.isReadable())
        return fail(Step::File, subject, tr("it may not be read"), tr("Check its permissions."));
    return pass(Step::File, subject, byteText(info.size()));
}

Result<bool> Examination::session(const SessionFactory &factory)
{
    m_clock.start();
    const QString endpoint = m_config.endpoint();
    const auto session = factory(m_config);
    const auto topics = session->listTopics(m_context.within(m_config.requestTimeout));
    if (!topics) {
        const Error &error = topics.error();
        if (error.kind == ErrorKind::Network && error.networkCause == NetworkCause::NoTicket)
            return fail(Step::Login, endpoint, error.detail,
                        tr("There is no valid Kerberos ticket: run kinit, or give the connection a "
                           "principal and its keytab."));
        if (error.kind == ErrorKind::Network && error.networkCause == NetworkCause::LoginRefused)
            return fail(Step::Login, endpoint, error.detail,
                        tr("Check user and password. It is not tried again by itself, so that no "
                           "account is locked."));
        if (error.kind == ErrorKind::InvalidArgument)
            return fail(Step::Metadata, endpoint, error.detail,
                        tr("Check the connection's properties."));
        if (error.kind == ErrorKind::Unsupported)
            return fail(Step::Metadata, endpoint, error.detail,
                        tr("A controller listens on a port of its own and serves no clients: this "
                           "may be one. Use a broker's port."));
        return fail(Step::Metadata, endpoint, error);
    }
    qsizetype partitions = 0;
    for (const TopicInfo &topic : *topics)
        partitions += topic.partitions.size();
    const QString found = counted(topics->size(), tr("1 topic"), tr("%1 topics")) + u", "_s +
                          counted(partitions, tr("1 partition"), tr("%1 partitions"));
    bool allReached = true;
    if (session->capabilities().brokers) {
        const auto cluster = session->describeCluster(m_context.within(m_config.requestTimeout));
        if (!cluster)
            return fail(Step::Metadata, endpoint, cluster.error());
        pass(Step::Metadata, endpoint,
             tr("cluster %1: %2, %3")
                 .arg(cluster->id,
                      counted(cluster->brokers.size(), tr("1 broker"), tr("%1 brokers")), found));
        for (const BrokerInfo &broker : cluster->brokers) {
            auto reached = reaches(broker);
            if (!reached)
                return reached;
            allReached = allReached && *reached;
        }
    } else if (const QString remark = session->remark(); !remark.isEmpty()) {
        allReached = fail(Step::Metadata, endpoint, u"%1: %2"_s.arg(found, remark),
                          tr("What is there can be looked at. Export it again where its source "
                             "still has the records."));
    } else {
        pass(Step::Metadata, endpoint, found);
    }
    auto fetched = fetchOne(*session, *topics);
    if (!fetched)
        return fetched;
    return *fetched && allReached;
}

/// Clients read from and publish to the addresses the brokers give out, not the configured ones.
Result<bool> Examination::reaches(const BrokerInfo &broker)
{
    m_clock.start();
    if (broker.port < 1 || broker.port > 65'535)
        return fail(Step::Broker, broker.host,
                    tr("port %1 of broker %2 is none").arg(broker.port).arg(broker.id),
                    tr("The cluster gives this address to its clients (advertised.listeners)."));
    const Address address{broker.host, quint16(broker.port)};
    const QString subject = address.text();
    const QString advice = tr("The cluster gives this address to its clients (advertised.listeners "
                              "of broker %1); it must be reachable from here.")
                               .arg(broker.id);
    const auto found = booblik::lookUpHost(address.host, m_context.within(patience()));
    if (!found) {
        if (found.error().kind != ErrorKind::Network)
            return fail(Step::Broker, subject, found.error());
        return fail(Step::Broker, subject, found.error().detail, advice);
    }
    const auto socket = connectTo(address, *found);
    if (const auto interruption = m_context.interruption())
        return *interruption;
    if (!socket)
        return fail(Step::Broker, subject, m_refusal, advice);
    if (m_security.tls) {
        const auto secured =
            shakeHands(*socket, address.host, m_config.properties, patience(), m_context);
        if (!secured)
            return fail(Step::Broker, subject, secured.error());
        if (!secured->established)
            return fail(Step::Broker, subject, secured->failure, advice);
        if (secured->wrongName)
            return fail(Step::Broker, subject,
                        tr("the certificate is for %1, and not for %2")
                            .arg(secured->names.join(u", "_s), address.host),
                        advice);
        if (!secured->problems.isEmpty())
            return fail(
                Step::Broker, subject,
                tr("its certificate is not trusted: %1").arg(secured->problems.join(u"; "_s)),
                tr("Give the CA certificate that signed it."));
    }
    return pass(Step::Broker, subject, tr("broker %1 can be reached").arg(broker.id));
}

Result<bool> Examination::fetchOne(BrokerSession &session, const TopicList &topics)
{
    QStringList names;
    for (const TopicInfo &topic : topics) {
        if (!topic.internal && !topic.error && names.size() < kTopicsTried)
            names << topic.name;
    }
    const auto described = session.describeTopics(names, m_context.within(m_config.requestTimeout));
    if (!described)
        return fail(Step::Fetch, m_config.endpoint(), described.error());
    for (const TopicInfo &topic : *described) {
        for (const PartitionInfo &partition : topic.partitions) {
            if (partition.error || partition.offsetSpan() <= 0)
                continue;
            FetchRequest request;
            request.partition = {topic.name, partition.id};
            request.offset = partition.logStartOffset;
            request.maxBytes = kFetchBytes;
            const QString subject = u"%1/%2"_s.arg(topic.name, QString::number(partition.id.value));
            const auto result = session.fetch(request, m_context.within(m_config.requestTimeout));
            if (!result)
                return fail(Step::Fetch, subject, result.error());
            const auto records = qsizetype(result->chunk->records().size());
            return pass(Step::Fetch, subject,
                        tr("%1 from offset %2")
                            .arg(counted(records, tr("1 record"), tr("%1 records")))
                            .arg(request.offset.value));
        }
    }
    return pass(Step::Fetch, m_config.endpoint(),
                names.isEmpty() ? tr("nothing to fetch: no topics this user may see")
                                : tr("nothing to fetch: no records in the topics looked at"));
}

QList<Address> serversOf(const SessionConfig &config)
{
    QList<Address> servers;
    const QStringList texts = config.endpoint().split(u',', Qt::SkipEmptyParts);
    for (const QString &text : texts) {
        // librdkafka also takes "PROTOCOL://host:port".
        Address address;
        if (parseEndpoint(text.section(u"//"_s, -1).trimmed(), &address.host, &address.port))
            servers << address;
    }
    return servers;
}

} // namespace

QString stepName(Step step)
{
    switch (step) {
    case Step::File:
        return u"file"_s;
    case Step::Name:
        return u"name"_s;
    case Step::Connect:
        return u"connect"_s;
    case Step::Tls:
        return u"tls"_s;
    case Step::Protocol:
        return u"protocol"_s;
    case Step::Login:
        return u"login"_s;
    case Step::Metadata:
        return u"metadata"_s;
    case Step::Broker:
        return u"broker"_s;
    case Step::Fetch:
        return u"fetch"_s;
    }
    return {};
}

Result<bool> examine(const SessionConfig &config, const SessionFactory &factory,
                     const CallContext &context, const OnCheck &onCheck)
{
    Examination examination(config, context, onCheck);
    if (config.engine == Engine::File)
        return examination.file() ? examination.session(factory) : false;
    bool anyServer = false;
    bool allPassed = true;
    for (const Address &server : serversOf(config)) {
        const auto passed = examination.server(server);
        if (!passed)
            return passed.error();
        anyServer = anyServer || *passed;
        allPassed = allPassed && *passed;
    }
    if (!anyServer)
        return false;
    const auto passed = examination.session(factory);
    if (!passed)
        return passed.error();
    return *passed && allPassed;
}

} // namespace topicscope::doctor
