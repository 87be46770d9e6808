#include "tests/bench/benchmarks.h"

#include <QApplication>
#include <QProcess>

#include <algorithm>
#include <cstdio>

using namespace topicscope;
using namespace topicscope::bench;

namespace
{

constexpr const char *kHelp =
    R"(Usage: topicscope-bench [NAME...]

Measures the named figures, all without a name, and prints one line for each:

  name<TAB>value<TAB>unit<TAB>ratio or -<TAB>what the ratio compares with

A ratio above 1 is better than that. Values are medians of several runs. Each figure is measured in a
process of its own, and so do brokers run (topicscope-cli beside this program; for kafka_… a released
Apache Kafka, which needs Java, Maven and kcat), with a temporary data directory. Build the preset
'release' before believing a figure.

Options:
  --list  Print the names and what they compare with
  --help  Print this help

Exit status: 0 all measured, 1 one could not be measured, 2 an unknown name or option.
)";

std::vector<Benchmark> allBenchmarks()
{
    std::vector<Benchmark> all;
    for (auto &&group :
         {crc32cBenchmarks(), fetchBenchmarks(), searchBenchmarks(), exportBenchmarks(),
          tableBenchmarks(), kafkaBenchmarks(), windowBenchmarks(), longLogBenchmarks(),
          payloadBenchmarks(), programBenchmarks()})
        all.insert(all.end(), group.begin(), group.end());
    return all;
}

/// Prints it. What main() returns.
int measure(const Benchmark &benchmark)
{
    const auto figure = benchmark.run();
    if (!figure) {
        fprintf(stderr, "topicscope-bench: %s: %s\n", benchmark.name.constData(),
                qPrintable(describe(figure.error())));
        return 1;
    }
    printf("%s\n", formatted(benchmark, *figure).constData());
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    const std::vector<Benchmark> all = allBenchmarks();
    std::vector<Benchmark> chosen;
    for (const QString &argument : application.arguments().mid(1)) {
        if (argument == QLatin1String("--help")) {
            fputs(kHelp, stdout);
            return 0;
        }
        if (argument == QLatin1String("--list")) {
            for (const Benchmark &benchmark : all)
                printf("%s\t%s\t%s\n", benchmark.name.constData(), benchmark.unit.constData(),
                       benchmark.against.constData());
            return 0;
        }
        const auto found = std::ranges::find(all, argument.toUtf8(), &Benchmark::name);
        if (found == all.end()) {
            fprintf(stderr, "topicscope-bench: unknown '%s'; see --list\n", qPrintable(argument));
            return 2;
        }
        chosen.push_back(*found);
    }

    if (chosen.size() == 1)
        return measure(chosen.front());
    // Each in a process of its own: none finds memory that another left behind.
    int exitCode = 0;
    for (const Benchmark &benchmark : chosen.empty() ? all : chosen) {
        QProcess one;
        one.setProcessChannelMode(QProcess::ForwardedChannels);
        one.start(QCoreApplication::applicationFilePath(), {QString::fromLatin1(benchmark.name)});
        const bool ended = one.waitForFinished(-1) && one.exitStatus() == QProcess::NormalExit;
        exitCode = std::max(exitCode, ended ? one.exitCode() : 1);
    }
    return exitCode;
}
