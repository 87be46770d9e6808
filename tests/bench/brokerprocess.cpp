#include "tests/bench/brokerprocess.h"

#include "core/booblik/connection.h"

#include <QCoreApplication>
#include <QDir>

#include <algorithm>

#ifdef Q_OS_LINUX
#include <csignal>
#include <sys/prctl.h>
#endif

namespace topicscope::bench
{

using namespace Qt::StringLiterals;
namespace wire = booblik::wire;

namespace
{

constexpr int kStartMs = 10'000;
constexpr qint64 kBatchBytes = 4 * 1024 * 1024;

} // namespace

QString siblingProgram(const QString &name)
{
    return QDir(QCoreApplication::applicationDirPath()).filePath(name);
}

QByteArray sampleValue(qint64 number, qsizetype bytes)
{
    QByteArray value = R"({"id":)" + QByteArray::number(number) + R"(,"note":")";
    const qsizetype padding = std::max<qsizetype>(0, bytes - value.size() - 2);
    for (qsizetype i = 0; i < padding; ++i)
        value += char('a' + (number + i * 7) % 26);
    return value + "\"}";
}

BrokerProcess::~BrokerProcess()
{
    m_process.terminate();
    if (!m_process.waitForFinished(kStartMs))
        m_process.kill();
    m_process.waitForFinished();
}

Result<void> BrokerProcess::start(const QString &topics)
{
    if (!m_data.isValid())
        return Error::make(ErrorKind::Io, m_data.errorString());
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
#ifdef Q_OS_LINUX
    // Also when this program is killed.
    m_process.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGTERM); });
#endif
    m_process.start(siblingProgram(u"topicscope-cli"_s),
                    {u"serve"_s, u"--data"_s, m_data.path(), u"--topics"_s, topics, u"--port"_s,
                     u"0"_s, u"--bind"_s, u"127.0.0.1"_s});
    while (m_process.state() != QProcess::NotRunning && m_process.waitForReadyRead(kStartMs)) {
        while (m_process.canReadLine()) {
            const QByteArray line = m_process.readLine().trimmed();
            if (!line.contains("listening on"))
                continue;
            m_port = line.sliced(line.lastIndexOf(':') + 1).toUShort();
            if (m_port != 0)
                return {};
        }
    }
    return Error::make(ErrorKind::Io, u"%1 serve does not start: %2"_s.arg(
                                          m_process.program(), m_process.errorString()));
}

SessionConfig BrokerProcess::config() const
{
    SessionConfig config;
    config.name = u"bench"_s;
    config.host = u"127.0.0.1"_s;
    config.port = m_port;
    return config;
}

Result<void> BrokerProcess::fill(const QString &topic, qint64 count, qsizetype valueBytes) const
{
    booblik::Connection connection(config());
    const CallContext context;
    for (qint64 done = 0; done < count;) {
        wire::ProduceRequest request;
        request.topicName = topic;
        const qint64 batch = std::min<qint64>(count - done, kBatchBytes / valueBytes);
        request.records.reserve(batch);
        for (qint64 i = 0; i < batch; ++i)
            request.records.append(sampleValue(done + i, valueBytes));
        if (auto sent = connection.send(request, context); !sent)
            return std::move(sent).error();
        if (auto answer = connection.receive(context); !answer)
            return std::move(answer).error();
        done += batch;
    }
    return {};
}

} // namespace topicscope::bench
