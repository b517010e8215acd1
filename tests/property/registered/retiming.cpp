#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/assembly/make_topology.hpp"
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

/// A number that is another one from some moment on, and again.
Json drawn_schedule(Draws& draws, double value) {
  return {{"kind", "schedule"},
          {"at_s", {0, 0.05 * draws.uniform()}},
          {"values", {value * draws.uniform(0.5, 1), value * draws.uniform(1, 2)}},
          {"repeat_after_s", draws.uniform(0.1, 0.3)}};
}

/// Three nodes with links between each two, of which one may lose messages, queue them, change, or be off for a while.
void draw_underlay(Json& network, std::int64_t agents, Draws& draws) {
  Json nodes = Json::array();
  for (std::int64_t a = 0; a < agents; ++a) nodes.push_back(draws.below(3));
  const auto link = [&](const char* from, const char* to) -> Json {
    return {
        {"ends", {from, to}}, {"latency_ms", draws.uniform(0, 5)}, {"bandwidth_bytes_per_s", draws.uniform(1e5, 1e6)}};
  };
  Json links{link("0", "1"), link("1", "2"), link("2", "0")};
  if (draws.bernoulli(0.3)) links[0]["bandwidth_bytes_per_s"] = drawn_schedule(draws, 5e5);
  if (draws.bernoulli(0.3)) links[1]["latency_ms"] = drawn_schedule(draws, 3);
  if (draws.bernoulli(0.2)) links[1]["duplex"] = "half";
  const bool queues = network["sharing"] == "fifo" && draws.bernoulli(0.3), loses = draws.bernoulli(0.2);
  if (queues) links[2]["queue"] = {{"messages", 2 + draws.below(5)}};
  if (loses) links[1]["loss_probability"] = 0.1;
  const bool is_off = draws.bernoulli(0.4);
  const double from = draws.uniform(0, 0.1);
  if (is_off)
    network["outages"] = {{{"from_s", from}, {"until_s", from + draws.uniform(0.01, 0.1)}, {"inner_links", {"0-1"}}}};
  if (queues || loses || is_off) network["retransmit"] = {{"timeout_ms", draws.uniform(1, 100)}};
  network["underlay"] = {
      {"nodes", 3}, {"agents", nodes}, {"links", links}, {"reroute", is_off && draws.bernoulli(0.7)}};
}

/// How messages pass what they share, and what that is beside links and interfaces.
void draw_ways(Json& network, std::int64_t agents, Draws& draws) {
  const std::string sharing = network["sharing"];
  if (draws.bernoulli(0.3)) network["in_order"] = false;
  if (draws.bernoulli(0.2)) network["latency_ms"] = drawn_schedule(draws, 5);
  if (draws.bernoulli(0.2)) network["bandwidth_bytes_per_s"] = drawn_schedule(draws, 1e6);
  if (draws.bernoulli(0.5)) draw_underlay(network, agents, draws);
  if (sharing == "none") return;
  if (draws.bernoulli(0.2)) network["transport"] = {{"kind", "tcp"}};
  if (draws.bernoulli(0.2)) network["media"] = {{{"name", "cell"}, {"bandwidth_bytes_per_s", draws.uniform(1e5, 1e6)}}};
  if (sharing == "fair") return;
  if (draws.bernoulli(0.5)) network["forwarding"] = "store_and_forward";
  if (draws.bernoulli(0.5)) network["send_order"] = "ascending";
}

/// Links of any latency and bandwidth, shared in any way, with jitter, losses that are repaired, copies, and messages
/// that overtake others; what lies between; agents of any speed.
void draw_world(Json& document, std::int64_t agents, Draws& draws) {
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
  draw_ways(network, agents, draws);
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
  for (const auto& [name, text] : files_of_real)
    if (name.ends_with(".csv") && !name.starts_with("model")) CHECK(files.at(name) == text);
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
      const std::int64_t agents = make_topology(scenario_of(small), "retiming.json").agents();
      draw_world(recorded, agents, draws);
      draw_world(other, agents, draws);
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

TEST_CASE("A retimed run is the run with numbers bit by bit in 900 more random worlds", "[slow]") {
  CHECK(check_retiming(6, 28) >= 900);
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
