#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/files/temporary_folder.hpp"
#include "scenarios/format/retimable.hpp"
#include "scenarios/results/progress_csv.hpp"
#include "scenarios/run/run.hpp"
#include "sim/base/draws.hpp"
#include "tests/property/registered/scenarios_of_algorithms.hpp"
#include "tests/unit/scenarios/results/written_files.hpp"

namespace lagnet::retiming_test {

using test::scenario_with;

namespace {

/// A distribution over two decades around a value.
Json drawn_distribution(Draws& draws, double value) {
  const double of = value * std::pow(10, draws.uniform(-1, 1));
  switch (draws.below(3)) {
    case 0:
      return of;
    case 1:
      return {{"kind", "uniform"}, {"low", of / 2}, {"high", 2 * of}};
    default:
      return {{"kind", "lognormal"}, {"median", of}, {"sigma", 0.5}};
  }
}

/// Links of any latency and bandwidth, shared in any way, with jitter, losses that are repaired, copies, and messages
/// that overtake others; agents of any speed.
void draw_world(Json& document, Draws& draws) {
  Json network{{"latency_ms", drawn_distribution(draws, 5)},
               {"bandwidth_bytes_per_s", drawn_distribution(draws, 1e6)},
               {"sharing", Json::array({"none", "fifo", "fair"})[draws.below(3)]},
               {"bytes_per_scalar", Json::array({2, 4, 8})[draws.below(3)]},
               {"header_bytes", draws.below(100)}};
  if (draws.bernoulli(0.5)) network["jitter_ms"] = draws.uniform(0, 10);
  if (draws.bernoulli(0.5)) network["up_bytes_per_s"] = drawn_distribution(draws, 1e6);
  if (draws.bernoulli(0.3)) network["duplicate_probability"] = 0.1;
  if (draws.bernoulli(0.3)) network["reordering"] = {{"probability", 0.2}, {"delay_ms", draws.uniform(0, 50)}};
  if (draws.bernoulli(0.4)) {
    network["loss_probability"] = draws.uniform(0, 0.3);
    network["retransmit"] = {{"timeout_ms", draws.uniform(1, 100)}};
  }
  document["network"] = std::move(network);
  Json compute{{"speed_flops_per_s", drawn_distribution(draws, 1e7)}};
  if (draws.bernoulli(0.5)) compute["straggler"] = {{"probability", 0.2}, {"factor", draws.uniform(1, 20)}};
  document["compute"] = std::move(compute);
}

struct Made {
  std::shared_ptr<const Experiment> experiment;
  Outcome outcome;
};

Scenario scenario_of(const Json& document) { return read_scenario({"retiming.json", "/nowhere", document}); }

Made made(const Json& document, const RecordedValues* recorded = nullptr) {
  ExperimentCache cache;
  const auto experiment = std::make_shared<const Experiment>(assemble(scenario_of(document), "retiming.json", cache));
  return {experiment, run(*experiment, {.recorded = recorded})};
}

/// The same by the parts of an experiment in other times.
Made made_of(const Made& source, const Json& document, const RecordedValues* recorded = nullptr) {
  const auto experiment =
      std::make_shared<const Experiment>(in_other_times(source.experiment, scenario_of(document), "retiming.json"));
  return {experiment, run(*experiment, {.recorded = recorded})};
}

/// As they are read from the run's file.
RecordedValues values_of(const Made& made) {
  const TemporaryFolder folder("retiming");
  ProgressFile file(*made.experiment, folder.path());
  for (const Row& row : made.outcome.rows) file.add(row);
  file.close();
  return {.progress = read_progress(folder.path() / "progress.csv"), .error_scale = made.outcome.error_scale};
}

/// Every row and account of a run, and why and when it ended.
void check_same_run(const Made& retimed, const Made& real) {
  CHECK(retimed.outcome.trace_hash == real.outcome.trace_hash);
  CHECK(retimed.outcome.stop == real.outcome.stop);
  CHECK(retimed.outcome.ending.last_report == real.outcome.ending.last_report);
  CHECK(retimed.outcome.ending.last_event == real.outcome.ending.last_event);
  CHECK(retimed.outcome.remarks == real.outcome.remarks);
  REQUIRE(retimed.outcome.rows.size() == real.outcome.rows.size());
  for (std::size_t k = 0; k < real.outcome.rows.size(); ++k)
    CHECK(progress_cells(retimed.outcome.rows[k]) == progress_cells(real.outcome.rows[k]));
  const auto files = written_files(*retimed.experiment, retimed.outcome);
  const auto files_of_real = written_files(*real.experiment, real.outcome);
  CHECK(files.at("agents.csv") == files_of_real.at("agents.csv"));
  CHECK(files.at("links.csv") == files_of_real.at("links.csv"));
}

/// In random worlds of these numbers, of each algorithm that can be retimed. Gives how many worlds that were.
int check_retiming(int first, int end) {
  int worlds = 0;
  std::uint32_t algorithm = 0;
  for (const auto& entry : AlgorithmFamily::catalogue().entries()) {
    const AlgorithmTraits traits = test::traits_of_registered(*entry);
    ++algorithm;
    if (!traits.timing_only || traits.depends_on_order) continue;
    const Json small = scenario_with(*entry, traits);
    if (test::is_of_one_agent(small)) continue;
    for (int k = first; k < end; ++k) {
      CAPTURE(std::string(entry->kind), k);
      Draws draws(static_cast<std::uint64_t>(k), Purpose{"test"}, algorithm);
      Json recorded = small;
      const bool may_differ = traits.every_message.empty();  // who takes part in a round, and over which links
      if (traits.server && draws.bernoulli(0.5) && (may_differ || traits.cohorts != Cohorts::all))
        recorded["participation"] = {{"clients", {{"kind", "random_subset"}, {"size", 5}}}};
      if (!traits.server && draws.bernoulli(0.3) && may_differ && traits.same_links.empty())
        recorded["topology"]["changes"] = {{"kind", "random_matchings"}};
      Json other = recorded;
      draw_world(recorded, draws);
      draw_world(other, draws);
      REQUIRE(why_not_retimable(scenario_of(recorded)) == std::vector<std::string>{});
      CHECK(what_decides_values(scenario_of(recorded)) == what_decides_values(scenario_of(other)));
      const Made source = made(recorded), real = made(other);
      const RecordedValues values = values_of(source);
      CHECK(source.outcome.trace_hash != real.outcome.trace_hash);
      check_same_run(made(other, &values), real);
      check_same_run(made_of(source, other, &values), real);
      if (k == 0) check_same_run(made_of(source, other), real);  // its parts serve for numbers, too
      ++worlds;
    }
  }
  return worlds;
}

}  // namespace

TEST_CASE("A run with the values of another network's run is the run with numbers, bit by bit, in 100 random worlds") {
  CHECK(check_retiming(0, 6) >= 100);
}

TEST_CASE("A retimed run is the run with numbers bit by bit in 400 more random worlds", "[slow]") {
  CHECK(check_retiming(6, 28) >= 400);
}

TEST_CASE("A retimed run ends by the stop rules in its own times, and reports where the recorded values end") {
  Json document = Json::parse(test::base_of_scenarios);
  document["algorithm"] = {{"kind", "dgd"}, {"step", 0.1}};
  document["topology"] = {{"kind", "ring"}, {"agents", 8}};
  document["record"]["every"] = 1;
  const Made source = made(document);
  const RecordedValues values = values_of(source);
  const double end = source.outcome.ending.last_report.in_seconds();

  // Half of the time is half of the rounds, more or less, under the same network, and the values are those rounds'.
  document["stop"]["simulated_s"] = end / 2;
  const Made half = made(document, &values);
  CHECK(half.outcome.stop == StopReason::simulated_s);
  CHECK(half.outcome.rows.size() < source.outcome.rows.size());
  check_same_run(half, made(document));

  // A relative error that the values reach ends it as it would end the run with numbers.
  document["stop"] = {{"rounds", 25}, {"relative_error", *source.outcome.rows[10].relative_error}};
  const Made reached = made(document, &values);
  CHECK(reached.outcome.stop == StopReason::relative_error);
  CHECK(reached.outcome.rows.back().round == 10);
  check_same_run(reached, made(document));

  // More rounds than there are values of.
  document["stop"] = {{"rounds", 26}};
  CHECK_THROWS_WITH(made(document, &values),
                    "in these times round 26 has a row, and in the run with numbers it has none");
}

}  // namespace lagnet::retiming_test
