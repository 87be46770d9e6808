#pragma once

#include "tests/bench/figure.h"

#include <vector>

namespace topicscope::bench
{

std::vector<Benchmark> crc32cBenchmarks();
std::vector<Benchmark> fetchBenchmarks();

} // namespace topicscope::bench
