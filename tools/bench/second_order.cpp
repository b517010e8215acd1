#include <benchmark/benchmark.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/federated/newton/fednl.hpp"
#include "algorithms/federated/newton/giant.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "sim/accounts/ledger.hpp"
#include "sim/accounts/trace.hpp"
#include "sim/base/draws.hpp"
#include "sim/engine/simulation.hpp"
#include "sim/numerics/cholesky.hpp"
#include "sim/numerics/decompositions.hpp"
#include "tools/bench/cpu_time.hpp"
#include "tools/bench/table.hpp"

/// A round of methods with second derivatives, 20 clients with 300 features and 300 samples of two classes each, beside
/// the decompositions and the Hessians that it takes, alone, by the same functions: what is more are compressed
/// matrices, messages, sums and reports.
namespace lagnet::bench {

namespace {

constexpr Index d = 300, clients = 20, n = 300;
constexpr Round rounds = 3;
constexpr int repetitions = 5;

const Problem& problem() {
  static const Problem made = [] {
    Draws draws(1, Purpose{"benchmark"});
    Matrix X(clients * n, d);
    for (double& x : X.reshaped()) x = draws.normal();
    Vector y(clients * n);
    for (double& label : y) label = draws.uniform() < 0.5 ? -1 : 1;
    return Problem{.X = std::make_shared<const DataMatrix>(std::move(X)),
                   .y = std::move(y),
                   .samples = clients * n,
                   .loss = make_loss(LogisticOptions{}),
                   .regularizer = make_regularizer(L2Options{.weight = 0.01})};
  }();
  return made;
}

MethodInput input() {
  MethodInput given{.problem = problem(), .sample_starts = {0}, .rounds = rounds};
  for (Index k = 0; k <= clients; ++k) given.sample_starts.push_back(k * n);
  given.network.agents = clients + 1;
  return given;
}

/// What a round decomposes: eigenvectors with their values, and factors.
struct Decompositions {
  Index eigen = 0, cholesky = 0;
};

double ms_of_run(const Algorithm& method) {
  std::vector<LinkSpec> links;
  for (AgentId k = 1; k <= clients; ++k) {
    links.push_back({0, k, Duration::milliseconds(1)});
    links.push_back({k, 0, Duration::milliseconds(1)});
  }
  Simulation world(Network(clients + 1, std::move(links)), ComputeModel(std::vector<double>(clients + 1, 1e9)), {});
  Ledger ledger(clients + 1, world.network().links());
  Trace trace;
  world.listen(ledger);
  world.listen(trace);
  method.spawn(world);
  return cpu_ms_of([&] { world.run(); });
}

void measure(benchmark::State& state, const std::function<std::unique_ptr<Algorithm>()>& make,
             const Decompositions& takes) {
  const auto method = make();
  const DataMatrix X = problem().X->row_range(0, n);
  const OwnFunction f{.X = X, .y = VectorView(problem().y.data(), n), .loss = *problem().loss, .l2_weight = 0.01};
  const Vector scores = X.times(Vector::Constant(d, 0.05));
  const Matrix H = f.hessian(scores);
  for (auto _ : state) {
    const double round = ms_of_run(*method) / rounds;
    const double decompositions = cpu_ms_of([&] {
      for (Index k = 0; k < takes.eigen; ++k) benchmark::DoNotOptimize(symmetric_eigen(H).values.data());
      for (Index k = 0; k < takes.cholesky; ++k) benchmark::DoNotOptimize(Cholesky(H).succeeded());
    });
    const double hessians = cpu_ms_of([&] {
      for (Index k = 0; k < clients; ++k) benchmark::DoNotOptimize(f.hessian(scores).data());
    });
    state.counters["round_ms"] = round;
    state.counters["decompositions_ms"] = decompositions;
    state.counters["hessians_ms"] = hessians;
    state.counters["round/both"] = round / (decompositions + hessians);
    state.counters["round/decompositions"] = round / decompositions;
  }
}

template <class Method, class Options>
void add(const std::string& name, const Options& options, const Decompositions& takes) {
  const auto make = [options]() -> std::unique_ptr<Algorithm> { return std::make_unique<Method>(options, input()); };
  benchmark::RegisterBenchmark(name.c_str(), [make, takes](benchmark::State& state) { measure(state, make, takes); })
      ->Iterations(1)
      ->Repetitions(repetitions);
}

}  // namespace

}  // namespace lagnet::bench

int main(int argc, char** argv) {
  using namespace lagnet;
  using namespace lagnet::bench;
  add<FedNl>("fednl, rank 1, option 1", FedNlOptions{.compressor = RankROptions{}}, {.eigen = clients + 1});
  add<FedNl>("fednl, rank 1, option 2", FedNlOptions{.option = 2, .compressor = RankROptions{}},
             {.eigen = clients, .cholesky = 1});
  add<FedNl>("fednl, top 300, option 1", FedNlOptions{.compressor = TopKOptions{.k = d}}, {.eigen = 1});
  add<FedNl>("fednl, top 300, option 2", FedNlOptions{.option = 2, .compressor = TopKOptions{.k = d}}, {.cholesky = 1});
  add<Giant>("giant", GiantOptions{}, {.cholesky = clients});
  return run_benchmarks(argc, argv);
}
