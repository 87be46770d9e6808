#include "tests/bench/figure.h"

#include <QFile>

#include <algorithm>
#include <cmath>

namespace topicscope::bench
{

using namespace Qt::StringLiterals;

namespace
{

QByteArray number(double value)
{
    const double size = std::abs(value);
    return QByteArray::number(value, 'f', size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

} // namespace

QByteArray formatted(const Benchmark &benchmark, const Figure &figure)
{
    const QByteArray ratio = figure.ratio ? QByteArray::number(*figure.ratio, 'f', 2) : "-";
    return benchmark.name + '\t' + number(figure.value) + '\t' + benchmark.unit + '\t' + ratio +
           '\t' + benchmark.against;
}

double median(std::vector<double> values)
{
    Q_ASSERT(!values.empty());
    std::sort(values.begin(), values.end());
    const size_t middle = values.size() / 2;
    return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Result<double> residentMiB(qint64 processId)
{
    QFile status(u"/proc/%1/status"_s.arg(processId));
    if (!status.open(QIODevice::ReadOnly))
        return Error::make(ErrorKind::Unsupported, u"no /proc on this system"_s);
    for (const QByteArray &line : status.readAll().split('\n')) {
        if (line.startsWith("VmRSS:"))
            return line.sliced(6).trimmed().split(' ').first().toDouble() / 1024;
    }
    return Error::make(ErrorKind::Io, u"the program is gone"_s);
}

Result<Figure> comparedInTurn(int rounds, const std::function<Result<double>()> &ours,
                              const std::function<Result<double>()> &theirs)
{
    std::vector<double> first;
    std::vector<double> second;
    for (int round = 0; round < rounds; ++round) {
        for (const auto &[measure, speeds] :
             {std::pair(&ours, &first), std::pair(&theirs, &second)}) {
            const auto speed = (*measure)();
            if (!speed)
                return speed.error();
            speeds->push_back(*speed);
        }
    }
    const double value = median(first);
    return Figure{value, value / median(second)};
}

} // namespace topicscope::bench
