#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace topicscope::bench
{

/// One measured figure.
struct Figure {
    double value = 0; ///< in the benchmark's unit
    /// Better than 1 is better than what it is compared with.
    std::optional<double> ratio;
};

/// One benchmark: `run` measures and is called once.
struct Benchmark {
    QByteArray name;
    QByteArray unit;
    QByteArray against; ///< what the ratio compares with; "-" without one
    std::function<Result<Figure>()> run;
};

/// "name<TAB>value<TAB>unit<TAB>ratio or -<TAB>against what", without line end. Three significant
/// digits at least, no exponent.
QByteArray formatted(const Benchmark &benchmark, const Figure &figure);

/// The middle value; the mean of the two middle ones of an even number. Not of nothing.
double median(std::vector<double> values);

/// Resident memory of a running process in MiB. @error Unsupported without /proc; Io when it is
/// gone.
Result<double> residentMiB(qint64 processId);

/// Two ways to do the same thing, in turn, so that a disturbance of the machine meets both.
/// Each call returns its speed (more is better), or the error that ends the measurement.
/// @return median of the first, and its ratio to the median of the second.
Result<Figure> comparedInTurn(int rounds, const std::function<Result<double>()> &ours,
                              const std::function<Result<double>()> &theirs);

} // namespace topicscope::bench
