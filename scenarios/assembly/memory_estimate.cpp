#include "scenarios/assembly/memory_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "scenarios/assembly/load_data.hpp"
#include "sim/engine/world_memory.hpp"
#include "sim/machine/allowance.hpp"

namespace lagnet {

namespace {

/// Reports a need beyond the budget.
void check_need(const char* pointer, const std::string& what, double bytes, const std::string& how_large,
                Diagnostics& diagnostics) {
  const Bytes budget = memory_budget();
  if (bytes <= static_cast<double>(budget)) return;
  diagnostics.add(pointer,
                  fmt::format("{} of at most {:.3g} GB, the memory budget of runs here (--memory-budget-mib)", what,
                              static_cast<double>(budget) / 1e9),
                  fmt::format("{:.3g} GB: {}", bytes / 1e9, how_large));
}

/// An algorithm that does not say is taken to hold ten vectors an agent: samples long where features are divided, which
/// all must know the scores of; features long where samples are, and then with a copy of the data besides.
Bytes usual_memory_of_algorithm(const Experiment& experiment) {
  constexpr Bytes vectors = 10, number = sizeof(double);
  const DataMatrix& X = experiment.data->X;
  const Bytes agents = experiment.facts.agents;
  if (experiment.traits.partition_by == PartitionBy::features) return vectors * number * (agents * X.rows() + X.cols());
  return vectors * number * agents * X.cols() + X.bytes();
}

/// A limit of rounds that is out of reach says nothing about the rows: another condition is meant to end the run.
Bytes memory_of_rows(const Scenario& scenario) {
  constexpr Bytes row = 768;  // as numbers and as text
  constexpr std::int64_t most = 100'000;
  if (!scenario.stop.rounds) return 0;
  return row * std::min(*scenario.stop.rounds / scenario.record.every + 1, most);
}

}  // namespace

void check_graph_memory(const GraphSize& size, GraphUse use, Diagnostics& diagnostics) {
  // Bytes, the two directions of an edge together; measured ones are larger, and world_memory() is more than twice
  // that.
  const double agent = use == GraphUse::run_on ? 1000 : 400, edge = use == GraphUse::run_on ? 240 : 60;
  const std::size_t before = diagnostics.count();
  check_need("/topology", "a graph", agent * size.agents + edge * size.edges,
             fmt::format("{:.10g} agents, {:.10g} edges", size.agents, std::round(size.edges)), diagnostics);
  constexpr double most_edges = 2'147'483'647;  // a link has a number of 32 bits in each direction
  if (diagnostics.count() == before && size.edges > most_edges)
    diagnostics.add("/topology", fmt::format("at most {:.0f} edges, whose links can be numbered", most_edges),
                    fmt::format("{:.10g}", std::round(size.edges)));
}

void check_data_memory(const Scenario& scenario, Diagnostics& diagnostics) {
  const DataShape shape = scenario.data.make().shape;
  if (needs_shape_alone(scenario)) {
    // Nothing but the order that partitions and test sets put them in.
    const bool by_features = scenario.algorithm.make().traits.partition_by == PartitionBy::features;
    const double places = by_features ? shape.rows + shape.features : shape.rows;
    return check_need("/data", "the order of samples and features", sizeof(Index) * places,
                      fmt::format("{:.10g} samples, {:.10g} features", shape.rows, shape.features), diagnostics);
  }
  constexpr double number = sizeof(double), sparse_number = sizeof(double) + sizeof(int);
  const double samples = shape.entries ? sparse_number * *shape.entries : number * shape.rows * (shape.features + 1);
  check_need("/data", "data", samples + number * shape.others,
             fmt::format("{:.10g} samples, {:.10g} features{}", shape.rows, shape.features,
                         shape.others > 0 ? fmt::format(", {:.10g} other numbers", shape.others) : ""),
             diagnostics);
}

void check_vectors_memory(const Experiment& made, Diagnostics& diagnostics) {
  if (!made.has_numbers()) {
    if (!made.traits.server) return;
    // Methods with a server look at zeros when they are set up: whether a regularizer has a subgradient there.
    const auto d = static_cast<double>(made.problem.shape.size());
    return check_need("/problem", "vectors that set up a method", 2 * sizeof(double) * d,
                      fmt::format("{:.10g} coefficients", d), diagnostics);
  }
  const double agents = static_cast<double>(made.topology->agents()),
               d = static_cast<double>(made.problem.shape.size());
  // An iterate and a gradient each; where features are divided, an agent's part of both.
  const double vectors = made.traits.partition_by == PartitionBy::features ? 2 * d : 2 * agents * d;
  check_need("/problem", "iterates and gradients", sizeof(double) * vectors,
             fmt::format("{:.10g} coefficients, {:.10g} agents", d, agents), diagnostics);
}

MemoryEstimate estimate_memory(const Experiment& experiment) {
  const bool in_order = experiment.problem.X.get() == &experiment.data->X;
  const bool has_data = !needs_shape_alone(experiment.scenario);
  // Without numbers agents exchange sizes, and hold no vectors.
  const auto of_algorithm = experiment.has_numbers() ? experiment.algorithm->memory() : std::optional<Bytes>(0);
  return {.data = has_data ? experiment.data->bytes() : 0,
          .own = (in_order || !has_data ? 0 : experiment.problem.X->bytes()) +
                 (of_algorithm ? *of_algorithm : usual_memory_of_algorithm(experiment)) +
                 world_memory(experiment.network->agents(), experiment.network->links(),
                              experiment.model.sharing != Sharing::none) +
                 memory_of_rows(experiment.scenario)};
}

}  // namespace lagnet
