#include "scenarios/format/size_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/generators/elementary.hpp"

namespace lagnet {

namespace {

constexpr std::int64_t most_agents = 1'000'000'000;  // a link has a number of 32 bits in each direction
constexpr std::int64_t most_of_complete = 65'536;    // whose links are nearly the square of the agents
constexpr std::int64_t most_rows = 1'000'000'000'000;
constexpr std::int64_t most_steps = 1'000'000'000;
constexpr double most_numbers = 1e12;  // of a matrix, eight bytes each
constexpr double most_work = 1e17;  // numbers read in a round, at which some flops and sixteen bytes each are counted

void check_integers(const std::vector<IntegerOption>& integers, std::int64_t most, Diagnostics& diagnostics) {
  for (const IntegerOption& one : integers)
    if (one.value > most)
      diagnostics.add(one.pointer, fmt::format("an integer at most {}", most), shown(Json(one.value)));
}

/// Options of methods by which the flops of an agent are multiplied.
constexpr std::string_view step_counts[] = {"local_steps", "repetitions"};

/// What a client of a method does in a round.
struct LocalWork {
  std::int64_t steps = 1;  // the most of its stages
  std::string called;      // "local steps", what makes them many
  std::optional<std::int64_t> batch;
};

LocalWork local_work(const Choice<AlgorithmFamily>& algorithm, Diagnostics& diagnostics) {
  LocalWork work;
  const std::vector<IntegerOption> integers = algorithm.integers("/algorithm");
  check_integers(integers, most_steps, diagnostics);
  for (const IntegerOption& one : integers) {
    if (one.key == "batch") work.batch = one.value;
    if (std::ranges::find(step_counts, one.key) == std::end(step_counts) || one.value <= work.steps) continue;
    work.steps = one.value;
    work.called = one.key;
    std::ranges::replace(work.called, '_', ' ');
  }
  return work;
}

}  // namespace

void check_sizes(const Scenario& scenario, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.count();
  const bool is_complete = scenario.topology.options_as<CompleteOptions>();
  check_integers(scenario.data.integers("/data"), most_rows, diagnostics);
  check_integers(scenario.topology.integers("/topology"), is_complete ? most_of_complete : most_agents, diagnostics);
  if (const auto* orient = scenario.topology.options_as<OrientOptions>())
    check_integers(orient->of.integers("/topology/of"),
                   orient->of.options_as<CompleteOptions>() ? most_of_complete : most_agents, diagnostics);
  const LocalWork local = local_work(scenario.algorithm, diagnostics);
  if (diagnostics.count() != before) return;

  if (const auto* lattice = scenario.topology.options_as<LatticeOptions>();
      lattice && lattice->rows && lattice->columns)
    if (const double places = 1.0 * *lattice->rows * *lattice->columns; places > most_agents)
      diagnostics.add("/topology", fmt::format("rows times columns at most {}", most_agents),
                      fmt::format("{:.6g}", places));
  if (!scenario.data.has_value()) return;
  const DataShape data = scenario.data.make().shape;
  const double numbers = data.samples * data.features;
  // Neither reduced data nor those that are not made are held.
  if (data.rows == data.samples && !scenario.timing_only() && !data.entries && numbers > most_numbers)
    diagnostics.add("/data", fmt::format("samples times features at most {:g}", most_numbers),
                    fmt::format("{:.6g}", numbers));
  const double samples = local.batch ? std::min(1.0 * *local.batch, data.samples) : data.samples;
  const double work = samples * data.features * static_cast<double>(local.steps);
  if (diagnostics.count() == before && std::max(numbers, work) > most_work)
    diagnostics.add(local.steps > 1 ? "/algorithm" : "/data",
                    fmt::format("samples times features{}{} at most {:g}, for flops that can be counted",
                                local.steps > 1 ? " times " : "", local.called, most_work),
                    fmt::format("{:.6g}", std::max(numbers, work)));
}

}  // namespace lagnet
