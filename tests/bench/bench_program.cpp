#include "tests/bench/benchmarks.h"
#include "tests/bench/brokerprocess.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>

namespace topicscope::bench
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kRounds = 5;
constexpr int kGiveUpMs = 20'000;
constexpr unsigned long kSettleSeconds = 3;

/// The desktop program on a broker, with settings of its own that go with it.
class Program
{
public:
    /// Starts it and waits until its first window is painted; the time that took.
    Result<double> start(const BrokerProcess &broker)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
        environment.insert(u"HOME"_s, m_home.path());
        environment.insert(u"XDG_CONFIG_HOME"_s, m_home.path());
        environment.insert(u"XDG_DATA_HOME"_s, m_home.path());
        // Qt says "Flushing …" when painted pixels go to the window.
        environment.insert(u"QT_LOGGING_RULES"_s, u"qt.widgets.painting.info=true"_s);
        environment.insert(u"QT_LOGGING_TO_CONSOLE"_s, u"1"_s);
        m_process.setProcessEnvironment(environment);
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        QElapsedTimer timer;
        timer.start();
        m_process.start(siblingProgram(u"topicscope"_s),
                        {broker.config().endpoint(), u"--open"_s, u"bench/0"_s});
        QByteArray said;
        while (m_process.waitForReadyRead(kGiveUpMs)) {
            said += m_process.readAll();
            if (said.contains("Flushing"))
                return double(timer.nsecsElapsed()) / 1e6;
        }
        return Error::make(ErrorKind::Io, u"topicscope shows no window: %1"_s.arg(
                                              said.isEmpty() ? m_process.errorString()
                                                             : QString::fromLocal8Bit(said)));
    }

    ~Program()
    {
        m_process.kill(); // it has nothing to keep
        m_process.waitForFinished();
    }

    Program() = default;
    Q_DISABLE_COPY_MOVE(Program)

    /// Resident memory in MiB.
    Result<double> residentMemory() const { return residentMiB(m_process.processId()); }

    /// Takes what the program says meanwhile, so that it never waits for us.
    void settle()
    {
        const QDeadlineTimer end(std::chrono::seconds{kSettleSeconds});
        while (!end.hasExpired()) {
            m_process.waitForReadyRead(int(end.remainingTime()));
            m_process.readAll();
        }
    }

private:
    QTemporaryDir m_home;
    QProcess m_process;
};

template <typename Measure>
Result<Figure> medianOfRuns(Measure measure)
{
    BrokerProcess broker;
    if (auto started = broker.start(u"bench:3,orders:3"_s); !started)
        return started.error();
    if (auto filled = broker.fill(u"bench"_s, 10'000, 128); !filled)
        return filled.error();
    std::vector<double> values;
    for (int round = 0; round < kRounds; ++round) {
        const Result<double> value = measure(broker);
        if (!value)
            return value.error();
        values.push_back(*value);
    }
    return Figure{median(std::move(values)), std::nullopt};
}

Result<double> startToFirstPicture(const BrokerProcess &broker)
{
    Program program;
    return program.start(broker);
}

Result<double> idleMemory(const BrokerProcess &broker)
{
    Program program;
    if (auto started = program.start(broker); !started)
        return started.error();
    program.settle();
    return program.residentMemory();
}

} // namespace

std::vector<Benchmark> programBenchmarks()
{
    return {{"start_to_first_picture", "ms", "-", [] { return medianOfRuns(startToFirstPicture); }},
            {"rss_idle", "MiB", "-", [] { return medianOfRuns(idleMemory); }}};
}

} // namespace topicscope::bench
