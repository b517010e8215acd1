#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <string_view>
#include <vector>

#include "algorithms/compression/compressors.hpp"
#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"
#include "tools/bench/table.hpp"

/// What it costs to compress a vector of a million entries: CPU time of a top-k step beside one pass of
/// std::nth_element over the same absolute values. Both take turns, so that whoever else uses the machine slows both of
/// them, and their ratio can be trusted.
namespace lagnet::bench {

namespace {

constexpr Index d = 1'000'000;
constexpr int repetitions = 9;

double thread_cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// What is compressed: how entries follow from normal ones.
struct Entries {
  std::string_view name;
  double (*of)(double normal);
};
constexpr Entries kinds_of_entries[]{{"normal", [](double x) { return x; }},
                                     {"of all sizes", [](double x) { return std::copysign(std::exp(9 * x), x); }},
                                     {"of few sizes", [](double x) { return std::round(4 * x) / 4; }}};

/// Other ones for each repetition: the pivots of nth_element may be lucky.
Vector entries_of(const Entries& kind) {
  static std::uint64_t seed = 0;
  Draws draws(seed++ % repetitions, Purpose{"bench"});
  Vector x(d);
  for (double& entry : x) entry = kind.of(draws.normal());
  return x;
}

void measure_top_k(benchmark::State& state, const Entries& kind, Index k) {
  const Vector x = entries_of(kind);
  const auto Q = make_compressor(TopKOptions{.k = k}, d);
  for ([[maybe_unused]] auto _ : state) {
    Vector magnitudes = x.cwiseAbs(), q = x;
    CompressionDraws draws;
    const double began = thread_cpu_ms();
    std::nth_element(magnitudes.begin(), magnitudes.begin() + (k - 1), magnitudes.end(), std::greater<>());
    const double between = thread_cpu_ms();
    Q->compress(q, draws);
    const double ended = thread_cpu_ms();
    const double threshold = magnitudes[k - 1];
    LAGNET_CHECK((q.array() != 0).count() <= k && (q.array() == 0 || q.array().abs() >= threshold).all(),
                 "not the {} largest entries", k);
    state.counters["top_k_ms"] = ended - between;
    state.counters["nth_element_ms"] = between - began;
    state.counters["top_k/nth_element"] = (ended - between) / (between - began);
  }
}

void register_compressions() {
  for (const Entries& kind : kinds_of_entries)
    for (const Index k : {d / 1000, d / 100, d / 10, d / 2})
      benchmark::RegisterBenchmark(fmt::format("top_k/{}/{}", k, kind.name).c_str(),
                                   [&kind, k](benchmark::State& state) { measure_top_k(state, kind, k); })
          ->Iterations(1)
          ->Repetitions(repetitions);
}

}  // namespace
}  // namespace lagnet::bench

int main(int argc, char** argv) {
  lagnet::bench::register_compressions();
  return lagnet::bench::run_benchmarks(argc, argv);
}
