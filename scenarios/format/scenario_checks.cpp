#include "scenarios/format/scenario_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/json/json_file.hpp"
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
constexpr std::string_view epochs = "local_epochs";
constexpr std::string_view step_counts[] = {"local_steps", epochs, "repetitions"};

/// What a client of a method does in a round.
struct RoundWork {
  std::int64_t steps = 1;             // the most of its stages
  std::string called;                 // "local steps", what makes them many
  std::optional<std::int64_t> batch;  // of a step; none if steps are epochs
};

RoundWork local_work(const Choice<AlgorithmFamily>& algorithm, Diagnostics& diagnostics) {
  RoundWork work;
  bool goes_through_all = false;  // with every step
  const std::vector<IntegerOption> integers = algorithm.integers("/algorithm");
  check_integers(integers, most_steps, diagnostics);
  for (const IntegerOption& one : integers) {
    if (one.key == "batch") work.batch = one.value;
    if (std::ranges::find(step_counts, one.key) == std::end(step_counts) || one.value <= work.steps) continue;
    work.steps = one.value;
    work.called = one.key;
    goes_through_all = one.key == epochs;
    std::ranges::replace(work.called, '_', ' ');
  }
  if (goes_through_all) work.batch.reset();
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
  const RoundWork local = local_work(scenario.algorithm, diagnostics);
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

namespace {

/// A key of a section that is read only where another key of the section has a value.
struct DependentKey {
  std::string_view kind;  // of the section; "": any
  std::string_view key;
  const char* idle;        // the value that the key may have nevertheless, as JSON
  std::string_view other;  // the key that decides
  const char* needed;  // the value that the other key must have, as JSON; "": any but null and false; "!1": any but 1
  std::string_view sentence;  // what is expected
};

constexpr std::array of_data{DependentKey{"", "choose_samples", R"("first")", "max_samples", "",
                                          "first without max_samples, whose rows it chooses"},
                             DependentKey{"sparse_regression", "spacing", R"("linear")", "condition_number", "!1",
                                          "linear where condition_number is 1, so that all variances are alike"}};
constexpr std::array of_algorithms{
    DependentKey{"fd_primal_dual", "power_iterations", "20", "constants", R"("learned")",
                 "20 unless constants is learned"},
    DependentKey{"fd_primal_dual", "margin", "0.05", "constants", R"("learned")", "0.05 unless constants is learned"},
    DependentKey{"prox_skip", "mu", "null", "p", "null", "null beside p, which otherwise follows from mu"},
    DependentKey{"tamuna", "mu", "null", "p", "null", "null beside p, which otherwise follows from mu"},
    DependentKey{"locodl", "mu", "null", "p", "null", "null beside p, which otherwise follows from mu"},
    DependentKey{"c_fed_da", "ball", R"("exact")", "epsilon", "", "exact without epsilon, the radius of the ball"}};
constexpr std::array of_records{
    DependentKey{"", "timeline_window_s", "[]", "timeline", "", "[] without timeline, of which it is a part"}};

void check(const Json& section, const std::string& pointer, const auto& keys, Diagnostics& diagnostics) {
  const std::string kind = section.value("kind", section.value("source", std::string()));
  for (const DependentKey& one : keys) {
    if (!one.kind.empty() && one.kind != kind) continue;
    const Json& value = section.at(std::string(one.key));
    const Json& other = section.at(std::string(one.other));
    const std::string needed = one.needed;
    const bool is_read = needed.empty()            ? !other.is_null() && other != false
                         : needed.starts_with("!") ? other != parse_json(needed.substr(1))
                                                   : other == parse_json(needed);
    if (!is_read && value != parse_json(one.idle))
      diagnostics.add(child_pointer(pointer, one.key), std::string(one.sentence), shown(value));
  }
}

}  // namespace

void check_idle_keys(const Scenario& scenario, Diagnostics& diagnostics) {
  check(scenario.data.write(), "/data", of_data, diagnostics);
  check(scenario.algorithm.write(), "/algorithm", of_algorithms, diagnostics);
  const Json record = write_fields(scenario.record);
  check(record, "/record", of_records, diagnostics);
  if (scenario.timing_only() && scenario.record.model_every)
    diagnostics.add("/record/model_every", "null with numerics off: there are no iterates",
                    shown(Json(*scenario.record.model_every)));
  const AlgorithmTraits traits = scenario.algorithm.make().traits;
  if (scenario.compute.clock.kind() != "free" && (traits.has_rounds() || traits.server))
    diagnostics.add("/compute/clock", "free: only asynchronous methods of peers begin updates by a clock",
                    std::string(scenario.compute.clock.kind()));
}

}  // namespace lagnet
