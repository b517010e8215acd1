#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "algorithms/peers/fd_primal_dual.hpp"
#include "sim/accounts/ledger.hpp"
#include "sim/accounts/trace.hpp"
#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"
#include "sim/engine/simulation.hpp"
#include "tools/bench/read_pass.hpp"
#include "tools/bench/table.hpp"
#include "topologies/generators/elementary.hpp"
#include "topologies/generators/random_graphs.hpp"

/// Time of one iteration of fd_primal_dual (squared loss, n = 16384, d = 2048, dense Gaussian X of 268 MB), all agents
/// together, with ledger and trace hash. After every iteration X is read once, for comparison: other load slows both.
/// The figures are medians over the iterations; the first one, which touches memory for the first time, does not count.
namespace lagnet::bench {

namespace {

constexpr Index samples = 16384, features = 2048;
constexpr std::string_view rounds_flag = "--rounds=";
Round counted_rounds = 9;

struct Clocks {  // in milliseconds
  double wall = 0;
  double cpu = 0;  // of all threads together
  static Clocks now() {
    timespec cpu_time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu_time);
    const auto wall_time = std::chrono::steady_clock::now().time_since_epoch();
    return {std::chrono::duration<double, std::milli>(wall_time).count(),
            static_cast<double>(cpu_time.tv_sec) * 1e3 + static_cast<double>(cpu_time.tv_nsec) * 1e-6};
  }
  Clocks operator-(const Clocks& other) const { return {wall - other.wall, cpu - other.cpu}; }
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Entries N(0,1).
const DataMatrix& gaussian_X() {
  static const DataMatrix made = [] {
    Draws draws(1, Purpose{"X"});
    Matrix X = DataMatrix::unfilled(samples, features);
    X = Matrix::NullaryExpr(samples, features, [&] { return draws.normal(); });
    return DataMatrix(std::move(X));
  }();
  return made;
}

/// Takes the time when the last agent reports a round, reads X, and takes the time again.
class Stopwatch : public Recorder {
 public:
  explicit Stopwatch(AgentId agents) : agents_(agents) {}

  void reported(AgentId /*agent*/, Round round, std::span<const VectorView> /*parts*/) override {
    if (++reports_ < agents_) return;
    reports_ = 0;
    const Clocks end = Clocks::now();
    benchmark::DoNotOptimize(read_pass(*gaussian_X().as_dense()));
    const Clocks after = Clocks::now();
    if (round > 1) {
      iterations.push_back(end - began_);
      reads.push_back(after - end);
    }
    began_ = Clocks::now();
  }

  std::vector<Clocks> iterations, reads;

 private:
  AgentId agents_;
  AgentId reports_ = 0;
  Clocks began_;
};

struct Setting {
  std::string topology;
  Index agents = 1;
  unsigned threads = 1;
};

Topology make(const Setting& setting) {
  constexpr std::uint64_t seed = 1;
  if (setting.topology == "lattice") return make_topology(LatticeOptions{.agents = setting.agents}, seed);
  if (setting.topology == "erdos_renyi")
    return make_topology(ErdosRenyiOptions{.agents = setting.agents, .probability = 0.5}, seed);
  return make_topology(CompleteOptions{.agents = setting.agents}, seed);
}

std::unique_ptr<FdPrimalDual> make_algorithm(const Topology& topology) {
  MethodInput assignment;
  assignment.problem.X = std::shared_ptr<const DataMatrix>(std::shared_ptr<const DataMatrix>(), &gaussian_X());
  assignment.problem.y = Vector::Ones(samples);
  assignment.problem.samples = samples;
  assignment.problem.loss = make_loss(SquaredOptions());
  assignment.problem.regularizer = make_regularizer(NoneOptions());
  for (Index j = 0; j <= topology.agents(); ++j) assignment.feature_starts.push_back(features * j / topology.agents());
  assignment.network.agents = topology.agents();
  assignment.network.max_degree = topology.max_degree();
  assignment.rounds = counted_rounds + 1;
  // Time does not hang on the step sizes, as long as no iterate overflows; these are far below the bound.
  FdPrimalDualOptions options{{.sigma = 1e-3, .tau = 1e-3, .chi = 1, .D = 1, .delta = 1}};
  return std::make_unique<FdPrimalDual>(options, std::move(assignment));
}

Network make_network(const Topology& topology) {
  std::vector<LinkSpec> links;
  for (const Edge& edge : topology.edges()) {
    links.push_back({.from = edge.from, .to = edge.to, .latency = Duration::milliseconds(1)});
    links.push_back({.from = edge.to, .to = edge.from, .latency = Duration::milliseconds(1)});
  }
  return Network(static_cast<AgentId>(topology.agents()), std::move(links));
}

void measure(benchmark::State& state, const Setting& setting) {
  const Topology topology = make(setting);
  const auto agents = static_cast<AgentId>(setting.agents);
  const auto algorithm = make_algorithm(topology);
  Simulation world(make_network(topology), ComputeModel(std::vector<double>(agents, 1e9)),
                   SimulationOptions{.threads = setting.threads});
  Ledger ledger(agents, world.network().links());
  Trace trace;
  Stopwatch stopwatch(agents);
  world.listen(ledger);
  world.listen(trace);
  world.record(stopwatch);
  algorithm->spawn(world);
  world.run();
  LAGNET_CHECK(std::ssize(stopwatch.iterations) == counted_rounds, "{} iterations", stopwatch.iterations.size());

  std::vector<double> wall, cpu, read, wall_ratio, cpu_ratio;
  for (std::size_t i = 0; i < stopwatch.iterations.size(); ++i) {
    const Clocks &iteration = stopwatch.iterations[i], &pass = stopwatch.reads[i];
    wall.push_back(iteration.wall);
    cpu.push_back(iteration.cpu);
    read.push_back(pass.cpu);
    wall_ratio.push_back(iteration.wall / pass.wall);
    cpu_ratio.push_back(iteration.cpu / pass.cpu);
  }
  const double messages = static_cast<double>(ledger.total().messages_received) / (counted_rounds + 1);
  for (auto _ : state) state.SetIterationTime(median(wall) * 1e-3);
  state.counters["wall_ms"] = median(wall);
  state.counters["cpu_ms"] = median(cpu);
  state.counters["read_cpu_ms"] = median(read);
  state.counters["wall/read"] = median(wall_ratio);
  state.counters["cpu/read"] = median(cpu_ratio);
  state.counters["messages_per_s"] = messages / (median(wall) * 1e-3);
}

/// The primal step of all agents alone, without events or sums: theta+ = theta - tau/n X'lambda, and X (2 theta+ -
/// theta).
void measure_local_steps(benchmark::State& state, Index agents) {
  constexpr double tau_n = 1e-3 / static_cast<double>(samples);
  const auto X = std::shared_ptr<const DataMatrix>(std::shared_ptr<const DataMatrix>(), &gaussian_X());
  std::vector<ColumnBlock> blocks;
  for (Index j = 0; j < agents; ++j)
    blocks.emplace_back(X, features * j / agents, features * (j + 1) / agents - features * j / agents, samples);
  constexpr Index padding = 72;  // so that columns are no power of two apart, as the payloads of a run are not
  const Matrix lambda = Matrix::Constant(samples + padding, agents, 1e-3);
  std::vector<Vector> ascent(blocks.size(), Vector::Zero(samples));
  Vector theta = Vector::Zero(features), theta_next = theta;
  std::vector<double> step, read, ratio;
  for (Round t = 0; t <= counted_rounds; ++t) {
    const Clocks began = Clocks::now();
    for (Index j = 0; j < agents; ++j) {
      const Index first = features * j / agents;
      auto columns = [&](Index c, Eigen::Ref<Vector> x) {
        auto theta_c = theta.segment(first + c, x.size());
        auto next_c = theta_next.segment(first + c, x.size());
        next_c = theta_c - tau_n * x;
        x = 2 * next_c - theta_c;
      };
      blocks[static_cast<std::size_t>(j)].sweep(lambda.col(j).head(samples), ascent[static_cast<std::size_t>(j)],
                                                columns);
    }
    theta.swap(theta_next);
    const Clocks end = Clocks::now();
    benchmark::DoNotOptimize(read_pass(*X->as_dense()));
    if (t == 0) continue;
    step.push_back((end - began).cpu);
    read.push_back((Clocks::now() - end).cpu);
    ratio.push_back(step.back() / read.back());
  }
  for (auto _ : state) state.SetIterationTime(median(step) * 1e-3);
  state.counters["cpu_ms"] = median(step);
  state.counters["read_cpu_ms"] = median(read);
  state.counters["cpu/read"] = median(ratio);
}

void add(const Setting& setting) {
  benchmark::RegisterBenchmark(fmt::format("{} agents/{}/{} thread{}", setting.agents, setting.topology,
                                           setting.threads, setting.threads > 1 ? "s" : "")
                                   .c_str(),
                               [setting](benchmark::State& state) { measure(state, setting); })
      ->Iterations(1)
      ->UseManualTime();
}

void register_settings() {
  for (const Index agents : {1, 16, 64, 256})
    benchmark::RegisterBenchmark(fmt::format("local steps/{} agents", agents).c_str(),
                                 [agents](benchmark::State& state) { measure_local_steps(state, agents); })
        ->Iterations(1)
        ->UseManualTime();
  for (const unsigned threads : {1u, 2u}) add({"complete", 1, threads});
  for (const Index agents : {16, 64, 256})
    for (const char* topology : {"complete", "lattice", "erdos_renyi"})
      for (const unsigned threads : {1u, 2u}) add({topology, agents, threads});
}

}  // namespace
}  // namespace lagnet::bench

// --rounds=N counts N iterations instead of 9: for a profile, in which making X must not show.
int main(int argc, char** argv) {
  using lagnet::bench::rounds_flag;
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]).starts_with(rounds_flag)) {
      lagnet::bench::counted_rounds = std::stol(argv[i] + rounds_flag.size());
      std::rotate(argv + i, argv + i + 1, argv + argc--);
    }
  lagnet::bench::register_settings();
  return lagnet::bench::run_benchmarks(argc, argv);
}
