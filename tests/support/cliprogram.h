#pragma once

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

// The built program from outside. Only for tests made by add_qt_test(), which builds it before
// them.

namespace topicscope::test
{

using namespace Qt::StringLiterals;

inline constexpr int kLimitMs = 30'000;

/// Where it was built, seen from the test: a path given when compiling kept two build folders from
/// sharing what they compile.
inline QString cliProgram()
{
    return QStandardPaths::findExecutable(
        QStringLiteral("topicscope-cli"),
        {QCoreApplication::applicationDirPath() + QStringLiteral("/../bin")});
}

struct Ran {
    int code = -1; ///< -1: crashed, or did not end in time
    QByteArray out;
    QByteArray err;

    QStringList lines() const
    {
        QStringList result = QString::fromUtf8(out).split(u'\n');
        if (!result.isEmpty() && result.last().isEmpty())
            result.removeLast();
        return result;
    }
    /// Every line as a JSON object; a line that is none becomes an empty one.
    QList<QJsonObject> objects() const
    {
        QList<QJsonObject> result;
        for (const QString &line : lines())
            result += QJsonDocument::fromJson(line.toUtf8()).object();
        return result;
    }
};

/// Runs a program to its end, the event loop of this one going on.
inline Ran
runProgram(const QString &program, const QStringList &arguments, const QByteArray &input = {},
           const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment())
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, kLimitMs))
        process.kill();
    Ran ran;
    ran.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    ran.out = process.readAllStandardOutput();
    ran.err = process.readAllStandardError();
    return ran;
}

/// The bytes a --json value stands for.
inline QByteArray decoded(const QJsonObject &value)
{
    const QByteArray data = value[u"data"_s].toString().toUtf8();
    return value[u"encoding"_s] == u"utf-8"_s ? data : QByteArray::fromBase64(data);
}

/// "topicscope-cli serve" on a free port, until it is destroyed.
class ServedBroker
{
public:
    explicit ServedBroker(const QString &dataDir, const QString &topics, quint16 port = 0)
    {
        m_process.start(cliProgram(),
                        {u"serve"_s, u"--data"_s, dataDir, u"--topics"_s, topics, u"--bind"_s,
                         u"127.0.0.1"_s, u"--port"_s, QString::number(port)});
        const bool listening = QTest::qWaitFor(
            [this] {
                while (m_process.canReadLine()) {
                    const QByteArray line = m_process.readLine().trimmed();
                    if (line.startsWith("booblik listening on"))
                        m_port = line.mid(line.lastIndexOf(':') + 1).toUShort();
                }
                return m_port != 0;
            },
            kLimitMs);
        if (!listening)
            qCritical("the broker did not start: %s", m_process.readAllStandardError().constData());
    }
    ~ServedBroker()
    {
        m_process.terminate();
        m_process.waitForFinished(kLimitMs);
    }

    quint16 port() const { return m_port; }
    QString address() const { return u"127.0.0.1:%1"_s.arg(m_port); }

private:
    QProcess m_process;
    quint16 m_port = 0;
};

/// Base of a test that runs the program against "topicscope-cli serve" with topics of its own.
class ServedTest : public QObject
{
protected:
    bool serve(const QString &topics)
    {
        m_broker = std::make_unique<ServedBroker>(m_data.path(), topics);
        return m_data.isValid() && m_broker->port() != 0;
    }
    Ran cli(const QStringList &arguments, const QByteArray &input = {}) const
    {
        return runProgram(cliProgram(), arguments, input);
    }
    /// With the broker's address behind the verb.
    Ran client(QStringList arguments, const QByteArray &input = {}) const
    {
        arguments.insert(1, m_broker->address());
        arguments.insert(1, u"--broker"_s);
        return cli(arguments, input);
    }
    void publish(const QString &topic, const QByteArray &value, int partition = 0) const
    {
        const Ran ran = client({u"publish"_s, topic, u"--partition"_s, QString::number(partition),
                                u"--value-file"_s, u"-"_s},
                               value);
        QVERIFY2(ran.code == 0, ran.err.constData());
    }
    Ran conformance(const QStringList &arguments) const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"BOOBLIK_BROKER"_s, m_broker->address());
        return runProgram(cliProgram(), QStringList(u"conformance"_s) + arguments, {}, environment);
    }

    QTemporaryDir m_data;
    std::unique_ptr<ServedBroker> m_broker;
};

} // namespace topicscope::test
