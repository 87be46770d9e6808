#include "tests/support/kafkacluster.h"

#include "tests/support/kafkacertificates.h"

#include <QCryptographicHash>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRandomGenerator>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUuid>
#include <QtEndian>

#include <librdkafka/rdkafka.h>

#include <algorithm>

#ifdef Q_OS_UNIX
#include <csignal>
#endif
#ifdef Q_OS_LINUX
#include <sys/prctl.h>
#endif

namespace topicscope::test
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kStartMs = 60'000; ///< a node on a busy machine
constexpr int kStopMs = 20'000;
constexpr int kLookMs = 20; ///< between two looks at a node that starts
constexpr qsizetype kLogTail = 4'000;

const QString kClusterId = u"dG9waWNzY29wZS10ZXN0cw"_s;
const QString kPrepared = QStringLiteral(TOPICSCOPE_KAFKA_DIR);

QString readText(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString();
}

/// The classes that a broker of this version loads, ready for the JVM: it starts in half the time.
/// Written by the first broker that ends by itself; see KafkaCluster::keepClasses().
QString classArchive(const QString &version)
{
    return kPrepared + u'/' + version + u".jsa"_s;
}

/// A JVM that starts fast and stays small, and ends with this program whatever becomes of it.
void prepareJava(QProcess &process, const QString &version, const QStringList &arguments)
{
    process.setProgram(u"java"_s);
    QStringList options = {u"-Xms64m"_s,
                           u"-Xmx256m"_s,
                           u"-XX:TieredStopAtLevel=1"_s,
                           u"-XX:+UseSerialGC"_s,
                           u"-Xshare:auto"_s,
                           u"-cp"_s,
                           readText(kPrepared + u'/' + version + u".classpath"_s)};
    if (const QString archive = classArchive(version); QFile::exists(archive))
        options.prepend(u"-XX:SharedArchiveFile="_s + archive);
    process.setArguments(options + arguments);
    process.setProcessChannelMode(QProcess::MergedChannels);
#ifdef Q_OS_LINUX
    process.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGKILL); });
#endif
}

bool copyFolder(const QString &from, const QString &to)
{
    if (!QDir().mkpath(to))
        return false;
    for (const QFileInfo &entry :
         QDir(from).entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot)) {
        const QString target = to + u'/' + entry.fileName();
        if (!(entry.isDir() ? copyFolder(entry.filePath(), target)
                            : QFile::copy(entry.filePath(), target)))
            return false;
    }
    return true;
}

/// Ports nobody listens on, below those the system gives to outgoing connections: a client that
/// tries to reconnect while the broker is down could otherwise be given the very port, and meet
/// itself. They are kept until it is destroyed, so that no two are the same.
class FreePorts
{
public:
    quint16 draw()
    {
        constexpr int kFirst = 20'000;
        constexpr int kEnd = 32'000;
        auto server = std::make_unique<QTcpServer>();
        while (!server->listen(QHostAddress::LocalHost,
                               quint16(QRandomGenerator::global()->bounded(kFirst, kEnd)))) {
        }
        m_kept.push_back(std::move(server));
        return m_kept.back()->serverPort();
    }

private:
    std::vector<std::unique_ptr<QTcpServer>> m_kept;
};

/// The ids of the brokers the cluster knows of; empty when none answers.
QList<int> knownBrokers(rd_kafka_t *client)
{
    QList<int> ids;
    const rd_kafka_metadata_t *metadata = nullptr;
    if (rd_kafka_metadata(client, 1, nullptr, &metadata, 1'000) == RD_KAFKA_RESP_ERR_NO_ERROR) {
        for (int i = 0; i < metadata->broker_cnt; ++i)
            ids.append(metadata->brokers[i].id);
        rd_kafka_metadata_destroy(metadata);
    }
    return ids;
}

using Client = std::unique_ptr<rd_kafka_t, decltype(&rd_kafka_destroy)>;

Client silentClient(const QString &bootstrap)
{
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    rd_kafka_conf_set(conf, "bootstrap.servers", bootstrap.toLatin1().constData(), nullptr, 0);
    rd_kafka_conf_set(conf, "allow.auto.create.topics", "false", nullptr, 0);
    rd_kafka_conf_set(conf, "reconnect.backoff.ms", "20", nullptr, 0);
    rd_kafka_conf_set(conf, "reconnect.backoff.max.ms", "100", nullptr, 0);
    rd_kafka_conf_set_log_cb(conf, nullptr);
    return {rd_kafka_new(RD_KAFKA_PRODUCER, conf, nullptr, 0), &rd_kafka_destroy};
}

} // namespace

struct KafkaCluster::Node {
    int id = 0;
    QString dir;
    quint16 clientPort = 0;
    quint16 adminPort = 0;
    quint16 controllerPort = 0;
    QProcess process;
    bool isServing = false; ///< has been, since it was started last

    bool isRunning() const { return process.state() != QProcess::NotRunning; }
    QString file(const QString &name) const { return dir + u'/' + name; }
    QString admin() const { return u"127.0.0.1:%1"_s.arg(adminPort); }
};

KafkaCluster::KafkaCluster(KafkaOptions options)
    : m_options(std::move(options))
{
    FreePorts ports;
    for (int id = 1; id <= m_options.nodes; ++id) {
        auto node = std::make_unique<Node>();
        node->id = id;
        node->clientPort = ports.draw();
        node->adminPort = ports.draw();
        node->controllerPort = ports.draw();
        node->dir = m_dir.filePath(u"node%1"_s.arg(id));
        m_nodes.push_back(std::move(node));
    }
}

KafkaCluster::~KafkaCluster()
{
    keepClasses();
    for (const auto &node : m_nodes)
        node->process.kill();
    for (const auto &node : m_nodes)
        node->process.waitForFinished(kStopMs);
}

void KafkaCluster::keepClasses()
{
    Node &first = *m_nodes.front();
    const QString archive = classArchive(m_options.version);
    if (!first.isServing || !first.isRunning() || QFile::exists(archive))
        return;
    stop(first.id);
    // Complete at once under its name.
    const QString fresh = archive + u".new"_s;
    QFile::remove(fresh);
    if (QFile::copy(first.file(u"classes"_s), fresh))
        QFile::rename(fresh, archive);
}

QString KafkaCluster::unavailable()
{
    if (QString reason = readText(kPrepared + u"/unavailable"_s); !reason.isEmpty())
        return reason;
    if (!QFile::exists(kPrepared + u'/' + kNewestKafka + u".classpath"_s))
        return u"tests/kafka/prepare.py has not run (ctest runs it)"_s;
    return {};
}

KafkaCluster::Node &KafkaCluster::node(int id) const
{
    return *m_nodes.at(size_t(id - 1));
}

QByteArray KafkaCluster::configuration(const Node &node) const
{
    QStringList voters;
    for (const auto &each : m_nodes)
        voters += u"%1@127.0.0.1:%2"_s.arg(each->id).arg(each->controllerPort);
    const QString security = m_options.sasl ? (m_options.tls ? u"SASL_SSL"_s : u"SASL_PLAINTEXT"_s)
                                            : (m_options.tls ? u"SSL"_s : u"PLAINTEXT"_s);
    const int replicas = std::min(m_options.nodes, 3);
    QStringList lines = {
        u"process.roles=broker,controller"_s,
        u"node.id=%1"_s.arg(node.id),
        u"log.dirs="_s + node.file(u"data"_s),
        u"controller.quorum.voters="_s + voters.join(u','),
        u"listeners=CLIENT://127.0.0.1:%1,ADMIN://127.0.0.1:%2,CONTROLLER://127.0.0.1:%3"_s
            .arg(node.clientPort)
            .arg(node.adminPort)
            .arg(node.controllerPort),
        u"advertised.listeners=CLIENT://127.0.0.1:%1,ADMIN://127.0.0.1:%2"_s.arg(node.clientPort)
            .arg(node.adminPort),
        u"listener.security.protocol.map=CLIENT:%1,ADMIN:PLAINTEXT,CONTROLLER:PLAINTEXT"_s.arg(
            security),
        u"inter.broker.listener.name=ADMIN"_s,
        u"controller.listener.names=CONTROLLER"_s,
        u"auto.create.topics.enable=true"_s,
        u"num.partitions=1"_s,
        u"default.replication.factor=1"_s,
        u"offsets.topic.num.partitions=1"_s,
        u"offsets.topic.replication.factor=%1"_s.arg(replicas),
        u"transaction.state.log.num.partitions=1"_s,
        u"transaction.state.log.replication.factor=%1"_s.arg(replicas),
        u"transaction.state.log.min.isr=1"_s,
        u"share.coordinator.state.topic.replication.factor=%1"_s.arg(replicas),
        u"share.coordinator.state.topic.min.isr=1"_s,
        u"group.initial.rebalance.delay.ms=0"_s,
        // A killed node is noticed within three seconds.
        u"broker.heartbeat.interval.ms=500"_s,
        u"broker.session.timeout.ms=3000"_s,
        // Compaction and retention at once, and with little memory.
        u"log.initial.task.delay.ms=200"_s,
        u"log.retention.ms=-1"_s, // a record with an old timestamp would be gone at once
        u"log.retention.check.interval.ms=300"_s,
        u"log.cleaner.backoff.ms=200"_s,
        u"log.cleaner.min.cleanable.ratio=0.01"_s,
        u"log.cleaner.dedupe.buffer.size=4194304"_s,
        u"log.segment.delete.delay.ms=100"_s,
        u"num.network.threads=2"_s,
        u"num.io.threads=4"_s,
        u"background.threads=2"_s,
    };
    if (m_options.tls) {
        lines += {
            u"ssl.keystore.type=PEM"_s,
            u"ssl.keystore.location="_s + certificate(u"broker.pem"_s),
            u"ssl.truststore.type=PEM"_s,
            u"ssl.truststore.location="_s + certificate(u"ca.pem"_s),
            u"ssl.client.auth="_s + (m_options.sasl ? u"none"_s : u"required"_s),
        };
    }
    if (m_options.sasl) {
        const QString login = u"listener.name.client.%1.sasl.jaas.config="
                              "org.apache.kafka.common.security.%2 required%3;"_s;
        QString users;
        for (const QString &user : {u"admin"_s, u"limited"_s})
            users += u" user_%1=\"%2\""_s.arg(user, passwordOf(user));
        lines += {
            u"listener.name.client.sasl.enabled.mechanisms="
            "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER"_s,
            login.arg(u"plain"_s, u"plain.PlainLoginModule"_s, users),
            login.arg(u"scram-sha-256"_s, u"scram.ScramLoginModule"_s, QString()),
            login.arg(u"scram-sha-512"_s, u"scram.ScramLoginModule"_s, QString()),
            login.arg(u"oauthbearer"_s, u"oauthbearer.OAuthBearerLoginModule"_s,
                      u" unsecuredLoginStringClaim_sub=\"admin\""_s),
        };
    }
    if (m_options.acls) {
        lines += {
            u"authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer"_s,
            u"super.users=User:ANONYMOUS;User:admin"_s, // everybody is the former at the other door
        };
    }
    lines += m_options.brokerProperties;
    return lines.join(u'\n').toUtf8() + '\n';
}

Result<void> KafkaCluster::start()
{
    if (!m_dir.isValid())
        return Error::make(ErrorKind::Io, m_dir.errorString());
    if (m_options.tls) {
        if (auto made = makeCertificates(m_dir.path(), m_options.certificateNames); !made)
            return made;
    }
    if (auto formatted = format(); !formatted)
        return formatted;
    std::vector<Node *> nodes;
    for (const auto &node : m_nodes) {
        if (auto launched = launch(*node); !launched)
            return launched;
        nodes.push_back(node.get());
    }
    return waitUntilServing(nodes);
}

Result<void> KafkaCluster::format()
{
    for (const auto &node : m_nodes) {
        QDir().mkpath(node->dir);
        QFile file(node->file(u"server.properties"_s));
        if (!file.open(QIODevice::WriteOnly) || file.write(configuration(*node)) < 0)
            return Error::make(ErrorKind::Io, file.errorString());
    }
    QStringList arguments = {u"kafka.tools.StorageTool"_s, u"format"_s, u"--cluster-id"_s,
                             kClusterId};
    for (const QString &user : {u"admin"_s, u"limited"_s}) {
        for (const QString &mechanism : {u"SCRAM-SHA-256"_s, u"SCRAM-SHA-512"_s}) {
            if (m_options.sasl)
                arguments += {u"--add-scram"_s,
                              u"%1=[name=%2,password=%3]"_s.arg(mechanism, user, passwordOf(user))};
        }
    }
    // What Kafka's own tool makes of the same arguments is always the same, but for two ids.
    const QByteArray name =
        QCryptographicHash::hash(arguments.join(u' ').toUtf8(), QCryptographicHash::Sha1);
    const QString storage = u"%1/%2.%3.storage"_s.arg(kPrepared, m_options.version,
                                                      QString::fromLatin1(name.toHex().first(12)));
    if (!QFile::exists(storage)) {
        Node &first = *m_nodes.front();
        prepareJava(first.process, m_options.version,
                    arguments + QStringList{u"--config"_s, first.file(u"server.properties"_s)});
        first.process.setStandardOutputFile(first.file(u"log"_s));
        first.process.start();
        first.process.waitForFinished(kStartMs);
        if (first.process.exitStatus() != QProcess::NormalExit || first.process.exitCode() != 0)
            return failure(first, u"its storage cannot be formatted"_s);
        // Complete at once under its name.
        const QString fresh = storage + u".new"_s;
        QDir(fresh).removeRecursively();
        if (!copyFolder(first.file(u"data"_s), fresh) || !QDir().rename(fresh, storage))
            return failure(first, u"its storage cannot be kept"_s);
        QDir(first.file(u"data"_s)).removeRecursively();
    }
    for (const auto &node : m_nodes) {
        if (!copyFolder(storage, node->file(u"data"_s)) || !writeIds(*node))
            return failure(*node, u"its storage cannot be copied"_s);
    }
    return {};
}

bool KafkaCluster::writeIds(const Node &node)
{
    const QByteArray directory = QUuid::createUuid().toRfc4122().toBase64(
        QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
    QFile file(node.file(u"data/meta.properties"_s));
    return file.open(QIODevice::WriteOnly) &&
           file.write("version=1\ncluster.id=" + kClusterId.toLatin1() +
                      "\nnode.id=" + QByteArray::number(node.id) +
                      // Kafka takes an id with a dash in front for an option.
                      "\ndirectory.id=A" + directory.mid(1) + '\n') > 0;
}

Result<void> KafkaCluster::launch(Node &node)
{
    QStringList arguments = {u"kafka.Kafka"_s, node.file(u"server.properties"_s)};
    if (!QFile::exists(classArchive(m_options.version)))
        arguments.prepend(u"-XX:ArchiveClassesAtExit="_s + node.file(u"classes"_s));
    prepareJava(node.process, m_options.version, arguments);
    node.process.setStandardOutputFile(node.file(u"log"_s), QIODevice::Append);
    node.process.start();
    if (!node.process.waitForStarted(kStartMs))
        return failure(node, node.process.errorString());
    return {};
}

Result<void> KafkaCluster::waitUntilServing(const std::vector<Node *> &nodes)
{
    const QDeadlineTimer deadline(kStartMs);
    for (Node *node : nodes) {
        const Client client = silentClient(node->admin());
        QTcpSocket socket;
        while (!knownBrokers(client.get()).contains(node->id)) {
            if (node->process.waitForFinished(kLookMs) || !node->isRunning())
                return failure(*node, u"it ended"_s);
            if (deadline.hasExpired())
                return failure(*node, u"it does not serve in time"_s);
        }
        socket.connectToHost(u"127.0.0.1"_s, node->clientPort);
        if (!socket.waitForConnected(kStopMs))
            return failure(*node, u"it does not listen to clients"_s);
        node->isServing = true;
    }
    return {};
}

Error KafkaCluster::failure(const Node &node, const QString &what) const
{
    return Error::make(ErrorKind::Io, u"Kafka %1, node %2: %3\n%4"_s.arg(m_options.version)
                                          .arg(node.id)
                                          .arg(what, log(node.id).right(kLogTail)));
}

QString KafkaCluster::bootstrap() const
{
    QStringList places;
    for (const auto &node : m_nodes)
        places += u"127.0.0.1:%1"_s.arg(node->clientPort);
    return places.join(u',');
}

QString KafkaCluster::adminBootstrap() const
{
    QStringList places;
    for (const auto &node : m_nodes)
        places += node->admin();
    return places.join(u',');
}

KafkaProperties KafkaCluster::clientProperties(const QString &user, const QString &mechanism) const
{
    KafkaProperties properties = {{u"bootstrap.servers"_s, bootstrap()}};
    if (m_options.tls) {
        properties[u"security.protocol"_s] = u"ssl"_s;
        properties[u"ssl.ca.location"_s] = certificate(u"ca.pem"_s);
        if (!m_options.sasl) {
            properties[u"ssl.certificate.location"_s] = certificate(u"client.pem"_s);
            properties[u"ssl.key.location"_s] = certificate(u"client.key"_s);
        }
    }
    if (m_options.sasl) {
        properties[u"security.protocol"_s] = m_options.tls ? u"sasl_ssl"_s : u"sasl_plaintext"_s;
        properties[u"sasl.mechanism"_s] = mechanism;
        if (mechanism == u"OAUTHBEARER"_s) {
            properties[u"enable.sasl.oauthbearer.unsecure.jwt"_s] = u"true"_s;
            properties[u"sasl.oauthbearer.config"_s] = u"principal="_s + user;
        } else {
            properties[u"sasl.username"_s] = user;
            properties[u"sasl.password"_s] = passwordOf(user);
        }
    }
    return properties;
}

QString KafkaCluster::passwordOf(const QString &user)
{
    return user + u"-secret"_s;
}

quint16 KafkaCluster::port(int node) const
{
    return this->node(node).clientPort;
}

void KafkaCluster::stop(int node)
{
    QProcess &process = this->node(node).process;
    process.terminate();
    if (!process.waitForFinished(kStopMs))
        kill(node);
}

void KafkaCluster::kill(int node)
{
    QProcess &process = this->node(node).process;
    process.kill();
    process.waitForFinished(kStopMs);
}

Result<void> KafkaCluster::restart(int node)
{
    Node &restarted = this->node(node);
    if (auto launched = launch(restarted); !launched)
        return launched;
    return waitUntilServing({&restarted});
}

void KafkaCluster::freeze(int node)
{
    Q_ASSERT(isRunning(node));
    ::kill(pid_t(this->node(node).process.processId()), SIGSTOP);
}

void KafkaCluster::thaw(int node)
{
    Q_ASSERT(isRunning(node));
    ::kill(pid_t(this->node(node).process.processId()), SIGCONT);
}

bool KafkaCluster::isRunning(int node) const
{
    return this->node(node).isRunning();
}

QString KafkaCluster::logDirectory(const QString &topic, int partition, int node) const
{
    return this->node(node).file(u"data/%1-%2"_s.arg(topic).arg(partition));
}

std::optional<std::pair<qint64, qint64>>
KafkaCluster::damageBatch(const QString &topic, int partition, qint64 offset, int node)
{
    // Batch header: base offset i64, length of the rest i32, epoch i32, magic i8, checksum u32,
    // attributes i16, last offset delta i32, … 61 bytes in all.
    constexpr qint64 kHeader = 61;
    constexpr qint64 kBeforeRest = 12;
    constexpr qint64 kLastDelta = 23;
    const QDir directory(logDirectory(topic, partition, node));
    for (const QString &name : directory.entryList({u"*.log"_s})) {
        QFile file(directory.filePath(name));
        if (!file.open(QIODevice::ReadWrite | QIODevice::Unbuffered))
            continue;
        for (qint64 at = 0; file.seek(at);) {
            const QByteArray header = file.read(kHeader);
            if (header.size() < kHeader)
                break;
            const auto first = qFromBigEndian<qint64>(header.constData());
            const auto last = first + qFromBigEndian<qint32>(header.constData() + kLastDelta);
            const qint64 end =
                at + kBeforeRest + qFromBigEndian<qint32>(header.constData() + kBeforeRest - 4);
            if (first <= offset && offset <= last) {
                char byte = 0;
                const bool flipped = file.seek(end - 1) && file.getChar(&byte) &&
                                     file.seek(end - 1) && file.putChar(char(byte ^ 1));
                return flipped ? std::optional(std::pair(first, last)) : std::nullopt;
            }
            at = end;
        }
    }
    return std::nullopt;
}

Result<void> KafkaCluster::waitUntilCompacted(const QString &topic, int partition, qint64 offset,
                                              int node) const
{
    Node &cleaner = this->node(node);
    const QString place = u"%1 %2 "_s.arg(topic).arg(partition);
    for (const QDeadlineTimer deadline(kStartMs); !deadline.hasExpired();) {
        // "topic partition offset" a line
        const QString cleaned = readText(cleaner.file(u"data/cleaner-offset-checkpoint"_s));
        for (const QString &line : cleaned.split(u'\n')) {
            if (line.startsWith(place) && line.mid(place.size()).toLongLong() >= offset)
                return {};
        }
        if (cleaner.process.waitForFinished(kLookMs) || !cleaner.isRunning())
            break;
    }
    return failure(cleaner, u"it does not compact "_s + topic);
}

QString KafkaCluster::log(int node) const
{
    return readText(this->node(node).file(u"log"_s));
}

QString KafkaCluster::certificate(const QString &name) const
{
    return m_dir.filePath(name);
}

} // namespace topicscope::test
