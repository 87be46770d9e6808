#include "app/cli/client.h"

#include "app/cli/command.h"
#include "app/cli/errorlines.h"
#include "app/cli/profile.h"
#include "core/profiles/registryconfig.h"
#include "core/profiles/secrets.h"
#include "core/records/jsonline.h"
#include "core/sessionfactory.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

QList<Option> brokerOptions()
{
    return {
        {u"broker"_s, u"HOST:PORT"_s,
         u"the broker (default 127.0.0.1:9092);\nkafka://HOST:PORT[,...] for Apache Kafka; file:PATH for an\nexported file"_s,
         u'b'},
        {u"profile"_s, u"NAME"_s, u"a connection kept in the window, instead of --broker"_s},
        {u"config"_s, u"FILE"_s, u"a Java client.properties or kcat's configuration file"_s},
        {u"property"_s, u"KEY=VALUE"_s, u"a librdkafka property; with it the broker is Kafka"_s,
         u'X', true},
        {u"timeout"_s, u"SECONDS"_s, u"longest wait for one answer (default 30)"_s},
        {u"json"_s, {}, u"one JSON object a line"_s},
    };
}

Option internalOption()
{
    return {u"internal"_s, {}, u"also topics the broker keeps for itself"_s};
}

namespace
{

/// --profile, --config, --broker and --property; what is said later on this list is stronger.
Result<void> readBroker(const CommandLine &line, SessionConfig &config)
{
    const auto broker = line.value(u"broker"_s);
    if (const auto profile = line.value(u"profile"_s)) {
        if (broker)
            return Error::make(ErrorKind::InvalidArgument,
                               u"--broker and --profile exclude each other"_s);
        auto kept = keptConnection(*profile);
        if (!kept)
            return std::move(kept).error();
        config = *kept;
    }
    if (const auto file = line.value(u"config"_s)) {
        if (auto read = readConfigFile(*file, config); !read)
            return read;
    }
    const QStringList properties = line.values(u"property"_s);
    if (!properties.isEmpty())
        config.engine = Engine::Kafka;
    for (const QString &property : properties) {
        const qsizetype equals = property.indexOf(u'=');
        if (equals <= 0) // without the text, which may be a secret
            return Error::make(ErrorKind::InvalidArgument, u"--property needs KEY=VALUE"_s);
        config.properties.insert(property.first(equals), property.sliced(equals + 1));
    }
    if (const auto registry = line.value(u"registry"_s))
        config.properties.insert(RegistryConfig::kUrl, *registry);
    if (broker && !config.setBroker(*broker)) {
        return Error::make(ErrorKind::InvalidArgument,
                           u"--broker needs HOST:PORT, not '%1'"_s.arg(*broker));
    }
    if (const QString host = openTokenHost(config.properties); !host.isEmpty())
        printError(u"warning: the client's secret is sent to %1 without TLS, use https for "
                   u"sasl.oauthbearer.token.endpoint.url"_s.arg(host));
    return addSecrets(config);
}

} // namespace

Result<SessionConfig> sessionConfig(const CommandLine &line)
{
    SessionConfig config;
    config.host = u"127.0.0.1"_s;
    if (auto read = readBroker(line, config); !read)
        return std::move(read).error();
    if (config.name.isEmpty())
        config.name = config.endpoint();
    if (const auto timeout = line.value(u"timeout"_s)) {
        bool ok = false;
        const double seconds = timeout->toDouble(&ok);
        if (!ok || !std::isfinite(seconds) || seconds < 0.001 || seconds > 86'400) {
            return Error::make(
                ErrorKind::InvalidArgument,
                u"--timeout needs seconds above 0, up to 86400, not '%1'"_s.arg(*timeout));
        }
        config.requestTimeout = std::chrono::milliseconds(std::lround(seconds * 1000));
        config.connectTimeout = config.requestTimeout;
        config.publishTimeout = config.requestTimeout;
    }
    return config;
}

int configError(const QString &verb, const Error &error)
{
    if (error.kind == ErrorKind::InvalidArgument)
        return usageError(verb, error.detail);
    if (error.kind != ErrorKind::Cancelled)
        printError(errorLine(error));
    return exitCodeOf(error);
}

Client::Client(const SessionConfig &config, bool json)
    : m_out(m_interrupt.token())
    , m_session(defaultSessionFactory()(config))
    , m_json(json)
{
    m_sinceTold.start();
    m_session->setReading([this](int percent) { // of a record file, before anything else
        if (!m_sinceTold.hasExpired(kProgressEvery.count()))
            return;
        m_sinceTold.start();
        note(u"%1 % of the file is read"_s.arg(percent));
    });
}

CallContext Client::call() const
{
    return call(m_session->config().requestTimeout);
}

CallContext Client::call(std::chrono::milliseconds limit) const
{
    return CallContext(limit, m_interrupt.token());
}

int Client::fail(const Error &error)
{
    m_out.flush();
    if (error.kind == ErrorKind::Cancelled)
        return exitCodeOf(error); // whoever pressed Ctrl-C knows
    if (m_json)
        std::fprintf(stderr, "%s\n", errorJson(error).constData());
    else
        printError(errorLine(error));
    return exitCodeOf(error);
}

void Client::note(const QString &text)
{
    m_out.flush();
    if (m_json)
        std::fprintf(stderr, "%s\n",
                     JsonLine().text("type", u"note"_s).text("text", text).take().constData());
    else
        printError(text);
}

int Client::finish(int code)
{
    return m_out.finish(interrupted() ? int(ExitInterrupted) : code);
}

namespace
{

Result<TopicList> findTopics(Client &client, const TopicChoice &choice)
{
    if (!choice.names.isEmpty())
        return client.session().describeTopics(choice.names, client.call());
    auto topics = client.session().listTopics(client.call());
    if (!topics)
        return topics;
    if (!choice.internal)
        topics->removeIf([](const TopicInfo &topic) { return topic.internal; });
    if (std::ranges::none_of(*topics, lacksOffsets))
        return topics;
    QStringList names;
    for (const TopicInfo &topic : std::as_const(*topics))
        names.append(topic.name);
    return client.session().describeTopics(names, client.call());
}

} // namespace

int withTopics(const QString &verb, const CommandLine &line, const TopicChoice &choice,
               const std::function<int(Client &client, const TopicList &topics)> &body)
{
    const auto config = sessionConfig(line);
    if (!config)
        return configError(verb, config.error());
    Client client(*config, line.has(u"json"_s));
    const auto topics = findTopics(client, choice);
    if (const QString remark = client.session().remark(); !remark.isEmpty())
        client.note(remark);
    return client.finish(topics ? body(client, *topics) : client.fail(topics.error()));
}

} // namespace topicscope::cli
