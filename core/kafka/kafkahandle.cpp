#include "core/kafka/kafkahandle.h"

#include "core/kafka/kafkaerrors.h"
#include "core/kafka/kafkalimits.h"
#include "core/profiles/propertycatalog.h"
#include "core/profiles/registryconfig.h"

#include <QDateTime>
#include <QLoggingCategory>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <system_error>

namespace topicscope::kafka
{

using namespace Qt::StringLiterals;

namespace
{

Q_LOGGING_CATEGORY(lcKafka, "topicscope.kafka", QtWarningMsg)

using ConfigPtr = std::unique_ptr<rd_kafka_conf_t, Destroy<&rd_kafka_conf_destroy>>;
constexpr size_t kTextBytes = 512;
/// What we tell the library when there is no token, to know it when it comes back as an error.
constexpr auto kNoToken = "topicscope has no token"_L1;

/// Counts the clients being destroyed, so that the process does not end under librdkafka's threads;
/// but never waits longer than kPatience for one that hangs.
class Destroyer
{
public:
    static Destroyer &instance()
    {
        static Destroyer destroyer;
        return destroyer;
    }
    ~Destroyer()
    {
        std::unique_lock lock(m_mutex);
        m_ended.wait_for(lock, kPatience, [this] { return m_running == 0; });
    }
    Q_DISABLE_COPY_MOVE(Destroyer)

    void destroy(rd_kafka_t *client, std::shared_ptr<void> state)
    {
        {
            const std::scoped_lock lock(m_mutex);
            ++m_running;
        }
        std::thread([this, client, state = std::move(state)] {
            rd_kafka_destroy_flags(client, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
            const std::scoped_lock lock(m_mutex);
            --m_running;
            m_ended.notify_all();
        }).detach();
    }

private:
    Destroyer() = default;

    static constexpr std::chrono::seconds kPatience{3};
    std::mutex m_mutex;
    std::condition_variable m_ended;
    int m_running = 0;
};

/// @error InvalidArgument with the library's sentence; never with the value, which may be a secret.
Result<void> set(rd_kafka_conf_t *conf, const QString &name, const QString &value)
{
    if (loadsForeignCode(name)) {
        return Error::make(ErrorKind::InvalidArgument,
                           u"%1 is not allowed: it would load foreign code"_s.arg(name));
    }
    if (breaksCommand(name, value)) {
        return Error::make(
            ErrorKind::InvalidArgument,
            u"%1 is not allowed: it holds characters a shell would act on"_s.arg(name));
    }
    std::array<char, kTextBytes> text{};
    const auto result = rd_kafka_conf_set(conf, name.toUtf8().constData(),
                                          value.toUtf8().constData(), text.data(), text.size());
    if (result == RD_KAFKA_CONF_OK)
        return {};
    if (result == RD_KAFKA_CONF_UNKNOWN) {
        return Error::make(ErrorKind::InvalidArgument,
                           u"librdkafka %1 has no property \"%2\""_s.arg(
                               QLatin1StringView(rd_kafka_version_str()), name));
    }
    QString sentence = QString::fromUtf8(text.data());
    if (!value.isEmpty())
        sentence.replace(value, u"…"_s);
    return Error::make(ErrorKind::InvalidArgument, name + u": "_s + sentence);
}

/// Configurations with a BrokerWatch that no client could be made of, kept for good: the library
/// has freed their hooks then, and would free them again with the configuration. As soon as there
/// is one, each is tried without hooks first, so that there are no more.
class Graveyard
{
public:
    static bool isEmpty() { return m_isEmpty; }
    static void bury(ConfigPtr conf)
    {
        static auto *const graves = new std::vector<ConfigPtr>;
        const std::scoped_lock lock(m_mutex);
        graves->push_back(std::move(conf));
        m_isEmpty = false;
    }

private:
    static inline std::mutex m_mutex;
    static inline std::atomic<bool> m_isEmpty = true;
};

/// In the library's text about a connection that LoginGuard held back.
QString heldBack()
{
    static const auto text =
        QString::fromStdString(std::generic_category().message(LoginGuard::kHeldBack));
    return text;
}

/// Whether the library takes for a refusal what is none: a broker that hung up, or answered with
/// nonsense, when it was asked for a mechanism. Of the broker's own verdict it says "Broker: ".
bool isNoVerdict(const QString &text)
{
    return text.contains(u"handshake failed: Local: "_s);
}

bool logsIn(const QMap<QString, QString> &properties)
{
    return properties.value(u"security.protocol"_s).startsWith(u"sasl"_s, Qt::CaseInsensitive);
}

/// "SCRAM-SHA-256 as admin"; empty without a login.
QString loginOf(const QMap<QString, QString> &properties)
{
    if (!logsIn(properties))
        return {};
    QString login = saslMechanism(properties);
    for (const auto &name :
         {u"sasl.username"_s, u"sasl.oauthbearer.client.id"_s, u"sasl.kerberos.principal"_s}) {
        if (const QString user = properties.value(name); !user.isEmpty()) {
            login += u" as "_s + user;
            break;
        }
    }
    return login;
}

} // namespace

Result<std::shared_ptr<Handle>> Handle::make(rd_kafka_type_t type, const SessionConfig &config,
                                             const QMap<QString, QString> &properties,
                                             ReportCallback onReport, std::shared_ptr<void> reports)
{
    QMap<QString, QString> all{
        {u"bootstrap.servers"_s, config.endpoint()},
        {u"client.id"_s, u"topicscope-"_s + QStringLiteral(TOPICSCOPE_VERSION)},
        {u"socket.keepalive.enable"_s, u"true"_s},
        {u"socket.nagle.disable"_s, u"true"_s},
        {u"socket.connection.setup.timeout.ms"_s, QString::number(config.connectTimeout.count())},
        {u"reconnect.backoff.ms"_s, u"100"_s},
        {u"reconnect.backoff.max.ms"_s, u"2000"_s},
        {u"topic.metadata.refresh.interval.ms"_s, u"60000"_s},
    };
    all.insert(config.properties);
    all.insert(properties);
    // Looking leaves no trace; and callbacks run in serve() alone.
    all.insert(u"allow.auto.create.topics"_s, u"false"_s);
    all.insert(u"log.queue"_s, u"true"_s);

    auto state = std::make_shared<State>(config.refusal.shared ? config.refusal.shared
                                                               : std::make_shared<LoginRefusal>());
    state->reports = std::move(reports);
    state->login = loginOf(all);
    state->secrets = secretsOf(config);
    state->oauth = OAuthConfig::takeFrom(all);
    RegistryConfig::takeFrom(all); // the library would refuse it
    state->tokenLimit = config.connectTimeout;

    const auto configured = [&]() -> Result<ConfigPtr> {
        ConfigPtr conf(rd_kafka_conf_new());
        for (auto property = all.cbegin(); property != all.cend(); ++property) {
            if (auto done = set(conf.get(), property.key(), property.value()); !done)
                return std::move(done).error();
        }
        // Since 2.5.0 brokers may ask clients for their metrics; older ones do not know it.
        (void)set(conf.get(), u"enable.metrics.push"_s, u"false"_s);
        rd_kafka_conf_set_opaque(conf.get(), state.get());
        rd_kafka_conf_set_error_cb(conf.get(), &Handle::onError);
        if (onReport)
            rd_kafka_conf_set_dr_msg_cb(conf.get(), onReport);
        rd_kafka_conf_set_log_cb(conf.get(), &Handle::onLog);
        if (!state->login.isEmpty())
            rd_kafka_conf_set_connect_cb(conf.get(), &Handle::onConnect);
        if (state->oauth) {
            rd_kafka_conf_set_oauthbearer_token_refresh_cb(conf.get(), &Handle::onTokenWanted);
            rd_kafka_conf_enable_sasl_queue(conf.get(), 1);
        }
        return conf;
    };
    const auto clientOf = [&](ConfigPtr &conf) -> Result<rd_kafka_t *> {
        std::array<char, kTextBytes> text{};
        rd_kafka_t *client = rd_kafka_new(type, conf.get(), text.data(), text.size());
        if (!client) {
            return Error::make(ErrorKind::InvalidArgument,
                               hideSecrets(QString::fromUtf8(text.data()), state->secrets));
        }
        (void)conf.release(); // NOLINT(bugprone-unused-return-value): the client's now
        rd_kafka_set_log_queue(client, nullptr);
        return client;
    };
    auto conf = configured();
    if (!conf)
        return std::move(conf).error();
    if (!Graveyard::isEmpty()) {
        auto trial = configured();
        (void)set(trial->get(), u"bootstrap.servers"_s, {}); // it has nobody to connect to
        const auto client = clientOf(*trial);
        if (!client)
            return client.error();
        Destroyer::instance().destroy(*client, state);
    }
    state->brokers.watch(conf->get());
    const auto made = clientOf(*conf);
    if (!made) {
        Graveyard::bury(std::move(*conf));
        return made.error();
    }
    rd_kafka_t *client = *made;
    // Tokens are fetched on the library's background thread: no call of ours waits for it.
    if (state->oauth) {
        if (rd_kafka_error_t *error = rd_kafka_sasl_background_callbacks_enable(client))
            rd_kafka_error_destroy(error); // never with the queue enabled above
    }

    auto handle = std::shared_ptr<Handle>(new Handle);
    handle->m_client = client;
    handle->m_endpoint = all.value(u"bootstrap.servers"_s);
    handle->m_state = std::move(state);
    return handle;
}

Handle::~Handle()
{
    if (!m_client)
        return;
    m_state->stop.request_stop();
    Destroyer::instance().destroy(m_client, std::move(m_state));
}

void *Handle::reportsOf(void *opaque)
{
    return static_cast<State *>(opaque)->reports.get();
}

void Handle::serve(std::chrono::milliseconds wait)
{
    const quint64 failed = m_state->brokers.failedLogins();
    rd_kafka_poll(m_client, int(wait.count()));
    m_state->guard.heard(failed);
}

std::optional<Error> Handle::refusal() const
{
    {
        const std::scoped_lock lock(m_state->mutex);
        if (m_state->refused)
            return m_state->refused;
    }
    return m_state->brokers.isConnected() ? std::nullopt : m_state->guard.refusal();
}

std::optional<Error> Handle::connectionError() const
{
    if (auto refused = refusal())
        return refused;
    const std::scoped_lock lock(m_state->mutex);
    if (m_state->tokenError)
        return m_state->tokenError;
    if (m_state->badAnswer)
        return m_state->badAnswer;
    const BrokerWatch &brokers = m_state->brokers;
    if (!m_state->allDown || brokers.isConnected() || brokers.losses() == m_state->lossesBefore)
        return std::nullopt;
    if (m_state->brokerError)
        return m_state->brokerError;
    return fromCode(RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN, {}, {{}, {}, {}, m_endpoint, {}});
}

std::optional<Error> Handle::waitFor(const std::function<bool(std::chrono::milliseconds)> &ready,
                                     const CallContext &context)
{
    begin();
    return waitOn(ready, context);
}

void Handle::begin()
{
    {
        const std::scoped_lock lock(m_state->mutex);
        if (m_state->brokers.isConnected())
            m_state->allDown = false;
        m_state->lossesBefore = m_state->brokers.losses();
        m_state->badAnswer.reset();
    }
    serve(std::chrono::milliseconds(0));
}

std::optional<Error> Handle::waitOn(const std::function<bool(std::chrono::milliseconds)> &ready,
                                    const CallContext &context)
{
    // Must not wait until there is nothing more to read.
    if (auto refused = refusal())
        return refused;
    while (!ready(context.slice())) {
        serve(std::chrono::milliseconds(0));
        if (auto interruption = context.interruption()) {
            interruption->where.endpoint = m_endpoint;
            if (interruption->kind == ErrorKind::Timeout)
                explain(*interruption);
            return interruption;
        }
        if (auto error = connectionError())
            return error;
    }
    return std::nullopt;
}

void Handle::explain(Error &error) const
{
    const std::scoped_lock lock(m_state->mutex);
    const auto &known = m_state->brokerError;
    if (known && !m_state->brokers.isConnected(known->where.endpoint)) {
        error.detail = known->detail;
        return;
    }
    error.kind = ErrorKind::Timeout;
    error.detail =
        m_state->brokers.isLoggingIn() ? m_state->login + u": no answer to the login"_s : QString();
}

int Handle::timeoutOf(const CallContext &context)
{
    constexpr qint64 kLongest = 60'000;
    if (context.deadline.isForever())
        return int(kLongest);
    return int(std::clamp<qint64>(context.deadline.remainingTime(), 1, kLongest));
}

void Handle::onTokenWanted(rd_kafka_t *client, const char * /*config*/, void *opaque)
{
    auto *state = static_cast<State *>(opaque);
    const OAuthConfig &config = *state->oauth;
    if (state->guard.refusal()) {
        rd_kafka_oauthbearer_set_token_failure(client, kNoToken.data());
        return;
    }
    // An endpoint that refuses us is not asked again.
    auto token = state->renewalRefused
                     ? Result<OAuthToken>(*state->renewalRefused)
                     : oauthToken(config, state->tokenLimit, state->stop.get_token());
    std::optional<Error> failure;
    if (token) {
        QList<QByteArray> texts;
        for (auto each = config.extensions.cbegin(); each != config.extensions.cend(); ++each)
            texts << each.key().toUtf8() << each.value().toUtf8();
        std::vector<const char *> extensions;
        for (const QByteArray &each : std::as_const(texts))
            extensions.push_back(each.constData());
        std::array<char, kTextBytes> text{};
        const QByteArray principal =
            token->principal.isEmpty() ? "token" : token->principal.toUtf8();
        if (rd_kafka_oauthbearer_set_token(client, token->value.constData(), token->expiresMs,
                                           principal.constData(), extensions.data(),
                                           extensions.size(), text.data(),
                                           text.size()) != RD_KAFKA_RESP_ERR_NO_ERROR)
            failure = Error::make(ErrorKind::InvalidArgument, QString::fromUtf8(text.data()));
        else
            state->tokenExpiresMs = token->expiresMs;
        const std::scoped_lock lock(state->mutex);
        state->secrets.insert(u"token"_s, QString::fromLatin1(token->value));
        state->tokenError = std::nullopt;
    } else {
        failure = token.error();
    }
    if (!failure)
        return;
    const bool isFinal = failure->kind == ErrorKind::InvalidArgument;
    if (isFinal)
        state->renewalRefused = failure;
    // The token before still logs in, and what is connected stays so.
    if (state->tokenExpiresMs <= QDateTime::currentMSecsSinceEpoch()) {
        const std::scoped_lock lock(state->mutex);
        Error error = Error::make(
            ErrorKind::Network,
            state->login + u": "_s + hideSecrets(failure->detail, state->secrets), failure->where);
        error.networkCause = NetworkCause::LoginRefused;
        error.retriable = !isFinal;
        (isFinal ? state->refused : state->tokenError) = error;
        if (isFinal)
            state->guard.refuse(error);
    }
    rd_kafka_oauthbearer_set_token_failure(client, kNoToken.data());
}

void Handle::onError(rd_kafka_t * /*client*/, int code, const char *reason, void *opaque)
{
    auto *state = static_cast<State *>(opaque);
    const auto known = rd_kafka_resp_err_t(code);
    const std::scoped_lock lock(state->mutex);
    const QString text = hideSecrets(QString::fromUtf8(reason), state->secrets);
    if (text.contains(kNoToken))
        return; // why is known better, and whether it matters
    if (known == RD_KAFKA_RESP_ERR__TRANSPORT && text.contains(heldBack()))
        return; // our own doing
    if (known == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN) {
        state->allDown = true;
        return;
    }
    if (auto refused = refusedAnswer(known, text)) {
        // The library would drop the connection and ask the same again, for ever.
        state->badAnswer = std::move(refused);
        return;
    }
    // "host:port/id: what happened (after 3ms in state CONNECT)"
    Error error = fromCode(known, text);
    const auto colon = text.indexOf(u": "_s);
    if (colon > 0)
        error.where.endpoint = text.first(colon).section(u'/', 0, -2).section(u'/', -1);
    if (known == RD_KAFKA_RESP_ERR__AUTHENTICATION) {
        if (state->refused || state->tokenError)
            return; // the reason is known better
        error.detail = state->login + u": "_s + error.detail;
        if (isNoVerdict(text)) {
            error.networkCause = NetworkCause::Other;
            state->brokerError = std::move(error);
            return;
        }
        if (const QString limit = loginLimit(state->login.section(u' ', 0, 0)); !limit.isEmpty())
            error.detail += u". "_s + limit;
        state->refused = error;
        state->guard.refuse(error);
    }
    state->brokerError = std::move(error);
}

int Handle::onConnect(int socket, const sockaddr *address, int length, const char * /*broker*/,
                      void *opaque)
{
    return static_cast<State *>(opaque)->guard.connect(socket, address, length);
}

void Handle::onLog(const rd_kafka_t *client, int level, const char *facility, const char *text)
{
    // Connection failures come as errors, too, and are shown as such; the log has them once more.
    constexpr int kSyslogWarning = 4;
    auto *state = static_cast<State *>(rd_kafka_opaque(client));
    if (level > kSyslogWarning || !state)
        return;
    const std::scoped_lock lock(state->mutex);
    const QString line = QString::fromUtf8(text);
    if (auto senseless = senselessAnswer(QLatin1StringView(facility), line))
        state->badAnswer = std::move(senseless);
    qCDebug(lcKafka) << facility << hideSecrets(line, state->secrets);
}

} // namespace topicscope::kafka
