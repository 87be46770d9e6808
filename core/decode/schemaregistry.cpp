#include "core/decode/schemaregistry.h"

#include "core/decode/protobuffiles.h"
#include "core/http/httpcall.h"

#include <QDeadlineTimer>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMutex>
#include <QSet>
#include <QThreadPool>

#include <algorithm>
#include <optional>
#include <stop_token>

namespace topicscope
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace
{

constexpr auto kMissingFor = 30s; ///< one that is not there may be registered by then
constexpr auto kFirstPause = 2s;  ///< after a registry could not be used; doubles
constexpr auto kLongestPause = 60s;
constexpr qsizetype kMostSchemas = 10'000;
constexpr qsizetype kMostReferences = 200;
constexpr qsizetype kMaxAnswerBytes = 8'000'000; ///< of a schema and all it refers to
constexpr int kNotFound = 404;

/// What a registry says of one schema.
struct Described {
    QString kind;
    QByteArray schema;
    QJsonArray references;
};

/// The registry itself, without memory, for one schema. Thread: any; blocking.
class RegistryClient
{
public:
    RegistryClient(const RegistryConfig &config, std::chrono::milliseconds limit,
                   std::stop_token stop)
        : m_config(config)
        , m_deadline(limit)
        , m_stop(std::move(stop))
    {
    }

    SchemaRegistry::Answer schema(qint32 id)
    {
        const auto found = get(u"/schemas/ids/%1"_s.arg(id), u"schema %1"_s.arg(id));
        if (!found)
            return found.error();
        auto made = std::make_shared<RegisteredSchema>();
        if (found->kind == u"JSON") {
            made->kind = RegisteredSchema::Kind::Json;
            return SchemaRegistry::Answer(std::move(made));
        }
        const bool isAvro = found->kind.isEmpty() || found->kind == u"AVRO";
        if (!isAvro && found->kind != u"PROTOBUF") {
            return Error::make(
                ErrorKind::InvalidArgument,
                u"schema %1 is of the unknown type \"%2\""_s.arg(id).arg(found->kind.left(40)));
        }
        QList<std::pair<QString, QByteArray>> used; // each behind those it uses
        if (auto collected = collect(*found, used); !collected)
            return std::move(collected).error();
        const QString place = u"schema %1: "_s.arg(id);
        if (isAvro) {
            QList<QByteArray> texts;
            for (const auto &each : std::as_const(used))
                texts.append(each.second);
            auto avro = AvroSchema::parse(found->schema, texts);
            if (!avro)
                return named(place, std::move(avro).error());
            made->avro = std::move(avro).value();
            return SchemaRegistry::Answer(std::move(made));
        }
        const QString main = u"schema %1"_s.arg(id);
        QMap<QString, QByteArray> texts{{main, found->schema}};
        for (const auto &[name, text] : std::as_const(used))
            texts.insert(name, text);
        auto protobuf = parseProtobuf(texts, main);
        if (!protobuf)
            return named(place, std::move(protobuf).error());
        made->kind = RegisteredSchema::Kind::Protobuf;
        made->protobuf = std::move(protobuf).value();
        return SchemaRegistry::Answer(std::move(made));
    }

private:
    static Error named(const QString &place, Error error)
    {
        error.detail.prepend(place);
        error.where.byte.reset(); // of the schema, not of the record
        return error;
    }

    Error failed(ErrorKind kind, const QString &why) const
    {
        return Error::make(kind, u"schema registry %1 %2"_s.arg(m_config.url.toString(), why));
    }

    Result<Described> get(const QString &path, const QString &what)
    {
        HttpCall call;
        call.url = m_config.url;
        QString base = call.url.path(QUrl::FullyEncoded);
        while (base.endsWith(u'/'))
            base.chop(1);
        call.url.setPath(base + path, QUrl::TolerantMode);
        call.user = m_config.user;
        call.password = m_config.password;
        call.caFile = m_config.caFile;
        call.accept = "application/vnd.schemaregistry.v1+json, application/json";
        call.maxAnswerBytes = m_bytesLeft;
        auto answer = httpCall(call, std::chrono::milliseconds(m_deadline.remainingTime()), m_stop);
        if (!answer) {
            const Error &error = answer.error();
            return failed(error.kind, error.kind == ErrorKind::Network
                                          ? u"cannot be reached: "_s + error.detail
                                          : error.detail);
        }
        m_bytesLeft -= answer->body.size();
        if (answer->status == kNotFound) {
            return Error::make(ErrorKind::InvalidArgument,
                               u"%1 is not in the registry"_s.arg(what));
        }
        if (answer->status == 401 || answer->status == 403) {
            Error refused =
                failed(ErrorKind::Network, u"refuses the login (HTTP %1)"_s.arg(answer->status));
            refused.networkCause = NetworkCause::LoginRefused;
            return refused;
        }
        if (answer->status != 200)
            return failed(ErrorKind::Protocol, u"answers HTTP %1"_s.arg(answer->status));
        const QJsonObject object = QJsonDocument::fromJson(answer->body).object();
        if (!object[u"schema"_s].isString())
            return failed(ErrorKind::Protocol, u"answers without a schema"_s);
        return Described{object[u"schemaType"_s].toString(),
                         object[u"schema"_s].toString().toUtf8(),
                         object[u"references"_s].toArray()};
    }

    /// What a schema refers to, and what that refers to.
    Result<void> collect(const Described &root, QList<std::pair<QString, QByteArray>> &used)
    {
        // Entered on the way down, kept on the way up: each after those it refers to.
        struct Open {
            QString name;
            Described schema;
            qsizetype next = 0;
        };
        QSet<QString> seen;
        QList<Open> open{{{}, root}};
        while (!open.isEmpty()) {
            Open &top = open.last();
            if (top.next == top.schema.references.size()) {
                if (open.size() > 1)
                    used.append({top.name, top.schema.schema});
                open.removeLast();
                continue;
            }
            const QJsonObject reference = top.schema.references[top.next++].toObject();
            const QString subject = reference[u"subject"_s].toString();
            const qint64 version = reference[u"version"_s].toInteger();
            const QString path = u"/subjects/%1/versions/%2"_s.arg(
                QString::fromLatin1(QUrl::toPercentEncoding(subject)), QString::number(version));
            const QString name = reference[u"name"_s].toString();
            if (seen.contains(name + u'\n' + path))
                continue;
            seen.insert(name + u'\n' + path);
            if (seen.size() > kMostReferences)
                return Error::make(ErrorKind::InvalidArgument, u"too many references"_s);
            auto found = get(
                path, u"version %1 of %2, which a schema refers to,"_s.arg(version).arg(subject));
            if (!found)
                return std::move(found).error();
            open.append({name, std::move(found).value()});
        }
        return {};
    }

    RegistryConfig m_config;
    QDeadlineTimer m_deadline;               ///< of all requests together
    qsizetype m_bytesLeft = kMaxAnswerBytes; ///< the same
    std::stop_token m_stop;
};

bool isAboutTheRegistry(const Error &error)
{
    return error.kind == ErrorKind::Network || error.kind == ErrorKind::Timeout ||
           error.kind == ErrorKind::Protocol;
}

} // namespace

/// What is known, and who asks. Its end waits for a request that is out, which is told to end.
class SchemaRegistry::Cache final
{
public:
    Cache(RegistryConfig config, Asking asking, std::chrono::milliseconds limit,
          SchemaRegistry *owner)
        : m_config(std::move(config))
        , m_asking(asking)
        , m_limit(limit)
        , m_owner(owner)
    {
        m_pool.setMaxThreadCount(1);
    }

    Answer schema(qint32 id)
    {
        QMutexLocker lock(&m_mutex);
        if (auto known = remembered(id))
            return *known;
        if (m_asking == Asking::Later) {
            if (!m_asked.contains(id)) {
                m_asked.insert(id);
                m_pool.start([this, id] { ask(id); });
            }
            return Error::make(ErrorKind::Busy, u"schema %1 is being asked for"_s.arg(id));
        }
        lock.unlock();
        ask(id);
        lock.relock();
        if (auto known = remembered(id))
            return *known;
        return Error::make(ErrorKind::Cancelled, {});
    }

    QString problem() const
    {
        const QMutexLocker lock(&m_mutex);
        return m_problem ? m_problem->detail : QString();
    }

    void tryAgain()
    {
        const QMutexLocker lock(&m_mutex);
        m_problem.reset();
        m_pause = kFirstPause;
        m_known.removeIf([](const auto &entry) { return entry->until.has_value(); });
    }

    ~Cache()
    {
        m_stop.request_stop();
        m_pool.clear();
        m_pool.waitForDone();
    }
    Q_DISABLE_COPY_MOVE(Cache)

private:
    struct Entry {
        Answer answer;
        std::optional<QDeadlineTimer> until; ///< of one that was not there
    };

    std::optional<Answer> remembered(qint32 id)
    {
        const auto known = m_known.constFind(id);
        if (known != m_known.constEnd() && !(known->until && known->until->hasExpired()))
            return known->answer;
        if (m_problem && !m_askAgain.hasExpired())
            return Answer(*m_problem);
        return std::nullopt;
    }

    /// Blocks.
    void ask(qint32 id)
    {
        {
            const QMutexLocker lock(&m_mutex);
            if (remembered(id)) { // meanwhile
                m_asked.remove(id);
                return;
            }
        }
        Answer answer = RegistryClient(m_config, m_limit, m_stop.get_token()).schema(id);
        const QMutexLocker lock(&m_mutex);
        m_asked.remove(id);
        if (m_stop.stop_requested())
            return;
        if (!answer && isAboutTheRegistry(answer.error())) {
            m_problem = answer.error();
            // A refused login is not repeated: it may lock the account.
            m_askAgain = answer.error().networkCause == NetworkCause::LoginRefused
                             ? QDeadlineTimer(QDeadlineTimer::Forever)
                             : QDeadlineTimer(m_pause);
            m_pause = std::min(2 * m_pause, std::chrono::seconds(kLongestPause));
        } else {
            m_problem.reset();
            m_pause = kFirstPause;
            if (m_known.size() >= kMostSchemas)
                m_known.clear();
            const bool isThere = answer.ok();
            m_known.insert(id,
                           {std::move(answer),
                            isThere ? std::nullopt : std::optional(QDeadlineTimer(kMissingFor))});
        }
        QMetaObject::invokeMethod(m_owner, &SchemaRegistry::changed, Qt::QueuedConnection);
    }

    const RegistryConfig m_config;
    const Asking m_asking;
    const std::chrono::milliseconds m_limit;
    std::stop_source m_stop;
    mutable QMutex m_mutex;
    SchemaRegistry *const m_owner;
    QHash<qint32, Entry> m_known;
    QSet<qint32> m_asked;
    std::optional<Error> m_problem;
    QDeadlineTimer m_askAgain;
    std::chrono::seconds m_pause = kFirstPause;
    QThreadPool m_pool;
};

SchemaRegistry::SchemaRegistry(RegistryConfig config, Asking asking,
                               std::chrono::milliseconds limit)
    : m_cache(std::make_unique<Cache>(std::move(config), asking, limit, this))
{
}

SchemaRegistry::~SchemaRegistry() = default;

SchemaRegistry::Answer SchemaRegistry::schema(qint32 id)
{
    return m_cache->schema(id);
}

void SchemaRegistry::tryAgain()
{
    m_cache->tryAgain();
    emit changed();
}

QString SchemaRegistry::problem() const
{
    return m_cache->problem();
}

} // namespace topicscope
