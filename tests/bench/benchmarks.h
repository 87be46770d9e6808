#pragma once

#include "tests/bench/figure.h"

#include <vector>

namespace topicscope::bench
{

std::vector<Benchmark> crc32cBenchmarks();
std::vector<Benchmark> fetchBenchmarks();
std::vector<Benchmark> kafkaBenchmarks(); ///< start a released Apache Kafka
std::vector<Benchmark> searchBenchmarks();
std::vector<Benchmark> exportBenchmarks();
std::vector<Benchmark> tableBenchmarks();   ///< need a QApplication
std::vector<Benchmark> windowBenchmarks();  ///< need a QApplication
std::vector<Benchmark> longLogBenchmarks(); ///< need a QApplication
std::vector<Benchmark> payloadBenchmarks(); ///< need a QApplication
std::vector<Benchmark> programBenchmarks();

} // namespace topicscope::bench
