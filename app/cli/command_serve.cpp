#include "app/cli/command_serve.h"

#include "app/cli/errorlines.h"
#include "core/broker/brokerconfig.h"
#include "core/broker/embeddedbroker.h"
#include "core/broker/samplebroker.h"

#include <QCoreApplication>
#include <QProcess>
#include <QSocketNotifier>

#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <sys/resource.h>
#include <unistd.h>

namespace topicscope::cli
{

using namespace Qt::StringLiterals;
using namespace topicscope::broker;

namespace
{

constexpr int kSignalExitBase = 128;

/// Each option is one of the broker's settings.
struct SettingOption {
    Option option;
    QString key;
};

const QList<SettingOption> &settingOptions()
{
    static const QList<SettingOption> options = {
        {{u"data"_s, u"DIR"_s, u"where the partitions are; created if missing"_s},
         u"booblik.data.dir"_s},
        {{u"topics"_s, u"LIST"_s, u"topics and partition counts: orders:3,clicks:1"_s},
         u"booblik.topics"_s},
        {{u"port"_s, u"N"_s, u"port to listen on (9092); 0 = any free one, printed"_s},
         u"booblik.port"_s},
        {{u"bind"_s, u"ADDRESS"_s, u"address to listen on (127.0.0.1)"_s},
         u"booblik.bind.address"_s},
        {{u"segment-bytes"_s, u"N"_s, u"begin a new segment file at this size (536870912)"_s},
         u"booblik.segment.capacity.bytes"_s},
        {{u"retention-bytes"_s, u"N"_s, u"delete oldest segments above this size"_s},
         u"booblik.retention.bytes"_s},
        {{u"retention-ms"_s, u"N"_s, u"delete segments not written to for so long"_s},
         u"booblik.retention.millis"_s},
    };
    return options;
}

/// Command line over environment over file over defaults.
Result<BrokerConfig> configOf(const CommandLine &line)
{
    BrokerSettings settings;
    if (const auto path = line.value(u"config"_s)) {
        auto file = readPropertiesFile(*path);
        if (!file)
            return file.error();
        settings = std::move(file).value();
    }
    const auto environment = readEnvironment(QProcess::systemEnvironment());
    if (!environment)
        return environment.error();
    settings = overlaid(settings, *environment);
    BrokerSettings given;
    for (const SettingOption &setting : settingOptions()) {
        if (const auto value = line.value(setting.option.name))
            given.insert(setting.key, *value);
    }
    return makeBrokerConfig(overlaid(settings, given));
}

/// Turns SIGTERM and SIGINT into calls on the event loop.
class SignalWatch : public QObject
{
public:
    explicit SignalWatch(std::function<void(int)> onSignal)
        : m_onSignal(std::move(onSignal))
    {
        if (pipe(s_pipe) != 0)
            return;
        m_notifier = std::make_unique<QSocketNotifier>(s_pipe[0], QSocketNotifier::Read);
        connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
            unsigned char number = 0;
            if (::read(s_pipe[0], &number, 1) == 1)
                m_onSignal(number);
        });
        struct sigaction action = {};
        action.sa_handler = [](int number) {
            const auto byte = static_cast<unsigned char>(number);
            [[maybe_unused]] const ssize_t n = ::write(s_pipe[1], &byte, 1);
        };
        action.sa_flags = SA_RESTART;
        sigaction(SIGTERM, &action, nullptr);
        sigaction(SIGINT, &action, nullptr);
    }

private:
    static inline int s_pipe[2] = {-1, -1};
    std::function<void(int)> m_onSignal;
    std::unique_ptr<QSocketNotifier> m_notifier;
};

/// Each connection and each partition takes a descriptor; the usual limit of 1024 is soon reached.
void raiseDescriptorLimit()
{
    struct rlimit limit = {};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/// At once, as scripts wait for a line. A reader that goes away does not end a broker.
void printLine(const QString &line)
{
    const QByteArray utf8 = line.toUtf8() + '\n';
    fwrite(utf8.constData(), 1, size_t(utf8.size()), stdout);
    fflush(stdout);
}

/// Runs until a signal or a failure to start. `start` begins it.
int runBroker(EmbeddedBroker &broker, const std::function<void()> &start)
{
    int exitCode = ExitOk;
    QObject::connect(&broker, &EmbeddedBroker::message, &broker, printLine);
    QObject::connect(&broker, &EmbeddedBroker::warning, &broker, printError);
    QObject::connect(&broker, &EmbeddedBroker::failed, &broker, [&exitCode](const Error &error) {
        if (error.kind == ErrorKind::Cancelled && exitCode != ExitOk) // stopped while starting
            return;
        printError(errorLine(error));
        QCoreApplication::exit(ExitFailed);
    });
    QObject::connect(&broker, &EmbeddedBroker::stopped, &broker, [&exitCode] {
        printLine(u"booblik stopped"_s);
        QCoreApplication::exit(exitCode);
    });
    const SignalWatch watch([&](int number) {
        if (exitCode != ExitOk) // stopping already
            return;
        printLine(u"booblik stopping"_s);
        exitCode = kSignalExitBase + number;
        broker.stop();
    });
    start();
    return QCoreApplication::exec();
}

int runServe(const CommandLine &line)
{
    if (!line.positional().isEmpty())
        return usageError(u"serve"_s, u"unexpected argument '%1'"_s.arg(line.positional()[0]));
    const bool sample = line.has(u"sample"_s);
    if (sample && (line.has(u"data"_s) || line.has(u"topics"_s)))
        return usageError(u"serve"_s, u"--sample brings its own data and topics"_s);
    const auto config = configOf(line);
    if (!config) {
        if (config.error().kind == ErrorKind::InvalidArgument)
            return usageError(u"serve"_s, config.error().detail);
        printError(errorLine(config.error()));
        return ExitFailed;
    }
    raiseDescriptorLimit();
    if (sample) {
        SampleBroker broker(*config);
        return runBroker(broker.broker(), [&broker] { broker.start(); });
    }
    EmbeddedBroker broker(*config);
    return runBroker(broker, [&broker] { broker.start(); });
}

} // namespace

Command serveCommand()
{
    QList<Option> options;
    for (const SettingOption &setting : settingOptions())
        options.append(setting.option);
    options.append({u"sample"_s,
                    {},
                    u"serve sample data from a temporary directory: orders, clicks\n"
                    u"(growing), telemetry, logs; one damaged and one large record"_s});
    options.append({u"config"_s, u"FILE"_s, u"a properties file with booblik's settings"_s});
    return {
        .verb = u"serve"_s,
        .arguments = {},
        .summary = u"Run a booblik-compatible broker on a data directory"_s,
        .details = u"An option beats the environment (BOOBLIK_PORT is booblik.port), which beats\n"
                   u"the file. Settings nobody knows are refused. The line\n"
                   u"\"booblik listening on /ADDRESS:PORT\" says that it is ready. SIGTERM and\n"
                   u"Ctrl-C answer held fetches, write everything and end it with 143 and 130.\n"
                   u"\n"
                   u"Example:\n"
                   u"  topicscope-cli serve --data /tmp/broker --topics orders:3 --port 0\n"_s,
        .options = options,
        .rawArguments = false,
        .run = runServe,
    };
}

} // namespace topicscope::cli
