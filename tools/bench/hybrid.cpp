#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/hybrid/hyfdca_state.hpp"
#include "scenarios/assembly/assemble.hpp"
#include "scenarios/run/run.hpp"
#include "sim/base/errors.hpp"
#include "tools/bench/table.hpp"

/// What the simulator adds to the arithmetic of HyFDCA: CPU time of a round of tools/bench/hybrid.json through the
/// whole product (events, messages, accounts, trace hash, rows), beside a plain loop that does the same arithmetic with
/// the same functions and sends nothing. The two take turns and end with the same numbers.
namespace lagnet::bench {

namespace {

constexpr int repetitions = 9;

double cpu_us() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

struct Cost {
  double us_per_round = 0;
  double objective = 0;  // at the end
};

Cost simulated(const Experiment& experiment) {
  const double began = cpu_us();
  const Outcome outcome = run(experiment);
  const double us = cpu_us() - began;
  const Row& last = outcome.rows.back();
  return {us / static_cast<double>(last.round), last.objective.value()};
}

double constant(const Experiment& experiment, std::string_view name) {
  for (const auto& [of, value] : experiment.algorithm->constants())
    if (of == name) return value;
  LAGNET_CHECK(false, "no constant {}", name);
  return 0;
}

/// Phases C, D and E of all clients, one after the other: all take part, so that nobody is new.
Cost looped(const Experiment& experiment) {
  const Scenario& scenario = experiment.scenario;
  const Cells& cells = *experiment.partition.cells;
  const Loss& l = *experiment.problem.loss;
  const auto rounds = static_cast<Round>(scenario.stop.rounds.value());
  const auto every = static_cast<Round>(scenario.record.every);
  const Index H = static_cast<Index>(constant(experiment, "H"));
  const double damping = constant(experiment, "damping");
  const double lambda_N = experiment.problem.regularizer->l2_weight().value() * static_cast<double>(cells.samples());
  ErrorScale error_scale;
  error_scale.initial = experiment.initial();
  error_scale.optimum = experiment.optimum->value;
  error_scale.minimizer = &experiment.optimum->theta;

  const double began = cpu_us();
  std::vector<AgentId> all;
  std::vector<HyfdcaClient> clients;
  for (AgentId k = 1; k <= static_cast<AgentId>(cells.clients()); ++k) {
    all.push_back(k);
    clients.emplace_back(cells.of(k));
  }
  CellSchedule schedule(cells, {.H = H, .seed = scenario.seed}, [&](Round) { return all; });
  HyfdcaServer s(cells, 1 / lambda_N);
  std::vector<Vector> changes(clients.size());
  Vector ip;
  Cost cost;
  const auto report = [&](Round t) {
    const std::vector<std::vector<Vector>> parts{{s.w0, s.a0, Vector::Zero(3)}};
    cost.objective = experiment.algorithm->evaluate(t, parts, error_scale).objective;
  };
  report(0);
  for (Round t = 1; t <= rounds; ++t) {
    const auto now = schedule.of(t);
    for (const AgentId k : all) {
      HyfdcaClient& own = clients[k - 1];
      const RowSet all_rows = RowSet::all(own.cells.n());
      ip.resize(all_rows.size());
      own.multiply(all_rows, ip);
      s.store_products(k, all_rows, ip);
    }
    s.add_products();
    for (const AgentId k : all) {
      HyfdcaClient& own = clients[k - 1];
      const CellIteration::Part& part = now->part(k);
      Vector& change = changes[k - 1];
      change.resize(std::ssize(part.picks));
      for (std::size_t j = 0; j < part.picks.size(); ++j) {
        const Index row = part.picks[j], i = own.cells.samples[static_cast<std::size_t>(row)];
        const double q = damping * cells.squared_norms()[i] / lambda_N, a = own.a[row];
        change[static_cast<Index>(j)] = 1.0 / static_cast<double>(std::ssize(cells.holders(i))) *
                                        (l.dual_step(a, s.p[i], own.cells.slices.label(row), q) - a);
      }
    }
    for (const AgentId k : all) s.change_duals(k, changes[k - 1], *now);
    for (const AgentId k : all) {
      HyfdcaClient& own = clients[k - 1];
      for (const Index row : now->part(k).active) own.a[row] = s.a0[own.cells.samples[static_cast<std::size_t>(row)]];
      own.contribute();
      s.hat[k] = own.hat;
    }
    s.aggregate();
    for (const AgentId k : all) clients[k - 1].w = s.w0(cells.of(k).features);
    if (t % every == 0) report(t);
  }
  cost.us_per_round = (cpu_us() - began) / static_cast<double>(rounds);
  return cost;
}

void measure(benchmark::State& state, bool every_round) {
  const std::filesystem::path path = std::filesystem::path(LAGNET_SOURCE_DIR) / "tools" / "bench" / "hybrid.json";
  std::vector<std::string> settings;
  if (!every_round) settings.emplace_back("/record/every=1000");
  const Scenario scenario = read_scenario(read_scenario_file(path, settings));
  ExperimentCache cache;
  const Experiment experiment = assemble(scenario, path.string(), cache);
  Cost product, loop;
  for (auto _ : state) {
    product = simulated(experiment);
    loop = looped(experiment);
  }
  LAGNET_CHECK(product.objective == loop.objective, "objectives {} and {}", product.objective, loop.objective);
  state.counters["lagnet_us"] = product.us_per_round;
  state.counters["loop_us"] = loop.us_per_round;
  state.counters["lagnet/loop"] = product.us_per_round / loop.us_per_round;
}

void register_all() {
  for (const bool every : {true, false})
    benchmark::RegisterBenchmark(every ? "hyfdca/recorded each round" : "hyfdca/recorded at the end",
                                 [every](benchmark::State& state) { measure(state, every); })
        ->Iterations(1)
        ->Repetitions(repetitions);
}

}  // namespace
}  // namespace lagnet::bench

int main(int argc, char** argv) {
  lagnet::bench::register_all();
  return lagnet::bench::run_benchmarks(argc, argv);
}
