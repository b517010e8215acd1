#include <benchmark/benchmark.h>

#include "algorithms/federated/aggregation/rules.hpp"
#include "sim/base/draws.hpp"
#include "tools/bench/cpu_time.hpp"
#include "tools/bench/table.hpp"

/// How long Krum takes for the scores of 100 answers of 1e5 numbers, beside one pass of their distances by a matrix
/// product: all products of two answers, which |a|^2 + |b|^2 - 2 a'b takes and loses digits by where answers are alike.
namespace lagnet::bench {

namespace {

constexpr Index d = 100'000, answers = 100;
constexpr int repetitions = 5;

void krum(benchmark::State& state) {
  Draws draws(1, Purpose{"benchmark"});
  Matrix v(d, answers), products(answers, answers);
  for (double& entry : v.reshaped()) entry = draws.normal();
  const KrumRule rule{.attackers = 20};
  for (auto _ : state) {
    const double scores = cpu_ms_of([&] { benchmark::DoNotOptimize(rule.scores(v).data()); });
    const double product = cpu_ms_of([&] {
      products.noalias() = v.transpose() * v;
      benchmark::DoNotOptimize(products.data());
    });
    state.counters["krum_ms"] = scores;
    state.counters["product_ms"] = product;
    state.counters["krum/product"] = scores / product;
  }
}

}  // namespace

}  // namespace lagnet::bench

int main(int argc, char** argv) {
  benchmark::RegisterBenchmark("krum, 100 answers of 1e5", lagnet::bench::krum)
      ->Iterations(1)
      ->Repetitions(lagnet::bench::repetitions);
  return lagnet::bench::run_benchmarks(argc, argv);
}
