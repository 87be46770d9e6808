#pragma once

#include "tests/support/kafkacluster.h"
#include "tests/support/kafkapeer.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTest>

#include <cstdio>

// For test programs against a real Kafka, made by add_kafka_test().

/// Passes when `call`, a Result, succeeded; fails with its error.
#define VERIFY_DONE(call)                                                                          \
    do {                                                                                           \
        const auto &done_ = (call);                                                                \
        QVERIFY2(done_.ok(), done_.ok() ? "" : qPrintable(::topicscope::describe(done_.error()))); \
    } while (false)

/// Runs the tests; where no Kafka can be had it says so and ends with the code by which ctest
/// reports a skipped test, or, when TOPICSCOPE_REQUIRE_KAFKA=1, a failed one.
#define KAFKA_TEST_MAIN(TestClass)                                                                 \
    int main(int argc, char *argv[])                                                               \
    {                                                                                              \
        QCoreApplication application(argc, argv);                                                  \
        if (const int code = ::topicscope::test::codeWithoutKafka())                               \
            return code;                                                                           \
        TestClass tests;                                                                           \
        return QTest::qExec(&tests, argc, argv);                                                   \
    }

namespace topicscope::test
{

/// 0 where a cluster can be started.
inline int codeWithoutKafka()
{
    constexpr int kSkipped = 77;
    const QString reason = KafkaCluster::unavailable();
    if (reason.isEmpty())
        return 0;
    const bool demanded = qEnvironmentVariable("TOPICSCOPE_REQUIRE_KAFKA") == QStringLiteral("1");
    std::fprintf(stderr, "%s: %s\n", demanded ? "FAILED" : "SKIPPED", qPrintable(reason));
    return demanded ? 1 : kSkipped;
}

/// What a call brought; when it failed, the test fails with its error.
template <typename T>
T valueOf(const Result<T> &result)
{
    if (result)
        return *result;
    QTest::qFail(qPrintable(describe(result.error())), __FILE__, __LINE__);
    return T{};
}

struct KafkaProgramResult {
    int code = -1; ///< -1: crashed, or did not end in time
    QByteArray out;
    QByteArray err;
};

/// Runs another client to its end.
inline KafkaProgramResult runKafkaProgram(const QString &program, const QStringList &arguments,
                                          const QByteArray &input = {})
{
    constexpr int kPatienceMs = 60'000;
    QProcess process;
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, kPatienceMs))
        process.kill();
    process.waitForFinished();
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            process.readAllStandardOutput(), process.readAllStandardError()};
}

inline KafkaProgramResult runKcat(const QStringList &arguments, const QByteArray &input = {})
{
    return runKafkaProgram(QStringLiteral("kcat"), arguments, input);
}

/// The arguments by which kcat takes these properties.
inline QStringList kcatOptions(const KafkaProperties &properties)
{
    QStringList options;
    for (auto it = properties.cbegin(); it != properties.cend(); ++it)
        options += {QStringLiteral("-X"), it.key() + u'=' + it.value()};
    return options;
}

/// tests/kafka/peer.py: the Python client kafka-python.
inline KafkaProgramResult runPythonPeer(const QStringList &arguments, const QByteArray &input = {})
{
    return runKafkaProgram(QStringLiteral(TOPICSCOPE_KAFKA_DIR "/venv/bin/python"),
                           QStringList(QStringLiteral(TOPICSCOPE_KAFKA_PEER)) + arguments, input);
}

} // namespace topicscope::test
