#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/format/retimable.hpp"
#include "scenarios/run/run.hpp"
#include "scenarios/times/timed_run.hpp"
#include "sim/base/draws.hpp"
#include "tests/property/registered/scenarios_of_algorithms.hpp"

namespace lagnet::round_times_test {

namespace {

constexpr int worlds_of_each = 8;
constexpr Round rounds = 25;

Json drawn_over_decades(Draws& draws, double value) {
  const double of = value * std::pow(10, draws.uniform(-2, 2));
  if (draws.bernoulli(0.4)) return of;
  return {{"kind", "uniform"}, {"low", of / 5}, {"high", 2 * of}};
}

/// A ring of nodes with a chord, agents anywhere on it, and latencies of which many are 0: ties are wanted.
Json drawn_underlay(Draws& draws, std::int64_t agents) {
  constexpr std::uint64_t nodes = 5;
  Json links = Json::array(), places = Json::array();
  for (std::uint64_t k = 0; k <= nodes; ++k) {
    const std::uint64_t to = k == nodes ? 2 : (k + 1) % nodes;
    links.push_back({{"ends", {std::to_string(k % nodes), std::to_string(to)}},
                     {"latency_ms", Json::array({0, 0, 3})[draws.below(3)]},
                     {"duplex", Json::array({"full", "half"})[draws.below(2)]}});
    if (draws.bernoulli(0.8)) links.back()["bandwidth_bytes_per_s"] = std::pow(10, draws.uniform(4, 7));
  }
  for (std::int64_t a = 0; a < agents; ++a) places.push_back(std::to_string(draws.below(nodes)));
  return {{"nodes", nodes}, {"links", links}, {"agents", places}};
}

/// Links and speeds for which times follow from steps.
void draw_network(Json& document, Draws& draws, std::int64_t agents) {
  document["network"] = {{"latency_ms", drawn_over_decades(draws, 5)},
                         {"bandwidth_bytes_per_s", drawn_over_decades(draws, 1e6)},
                         {"sharing", Json::array({"none", "fifo"})[draws.below(2)]},
                         {"header_bytes", draws.below(100)}};
  for (const char* interface : {"up_bytes_per_s", "down_bytes_per_s"})
    if (draws.bernoulli(0.5)) document["network"][interface] = drawn_over_decades(draws, 1e6);
  document["network"]["forwarding"] = Json::array({"cut_through", "store_and_forward"})[draws.below(2)];
  document["network"]["send_order"] = Json::array({"rotated", "ascending"})[draws.below(2)];
  document["network"]["in_order"] = draws.bernoulli(0.5);
  if (draws.bernoulli(0.5)) document["network"]["underlay"] = drawn_underlay(draws, agents);
  if (draws.bernoulli(0.3)) document["network"]["latency_ms"] = 0;
  document["compute"] = {{"speed_flops_per_s", drawn_over_decades(draws, 1e7)}};
}

}  // namespace

TEST_CASE("The steps of a round give the times of the events, to the nanosecond, for each algorithm in random worlds") {
  std::set<std::string> without_steps;
  int worlds = 0;
  std::uint32_t algorithm = 0;
  for (const auto& entry : AlgorithmFamily::catalogue().entries()) {
    const AlgorithmTraits traits = test::traits_of_registered(*entry);
    ++algorithm;
    if (!traits.timing_only || traits.depends_on_order) continue;
    const Json small = test::scenario_with(*entry, traits);
    if (test::is_of_one_agent(small)) continue;
    for (int k = 0; k < worlds_of_each; ++k) {
      CAPTURE(std::string(entry->kind), k);
      Draws draws(static_cast<std::uint64_t>(k), Purpose{"test"}, algorithm);
      Json document = small;
      ExperimentCache cache;
      const Experiment bare = assemble(read_scenario({"times.json", "/nowhere", small}), "times.json", cache);
      draw_network(document, draws, bare.topology->agents());
      Json& algorithm_section = document["algorithm"];
      if (algorithm_section.contains("stages"))  // rounds of different stages are unlike each other
        algorithm_section["stages"] = Json::parse(R"([{"lambda": 0.04, "rounds": 48, "local_steps": 2}])");
      CAPTURE(document["network"].dump(), document["compute"].dump());
      const TimedRunOrReasons timed = timed_run({"times.json", "/nowhere", document}, cache);
      if (!timed.run) {
        if (!traits.draws_work) without_steps.insert(std::string(entry->kind));
        continue;
      }
      document["numerics"] = "off";
      document["stop"] = {{"rounds", rounds}};
      document["record"] = {{"every", 1}};
      const Experiment experiment = assemble(read_scenario({"times.json", "/nowhere", document}), "times.json", cache);
      const Outcome outcome = run(experiment);
      const std::vector<Time> times = round_times(timed.run->graph, timed.run->world(), rounds, rounds);
      REQUIRE(times.size() == static_cast<std::size_t>(rounds) + 1);
      REQUIRE(outcome.rows.size() == times.size());
      for (const Row& row : outcome.rows) CHECK(times[static_cast<std::size_t>(row.round)] == row.at);
      ++worlds;
    }
  }
  CHECK(without_steps == std::set<std::string>{"hyfdca"});  // whose server waits until what it sent has arrived
  CHECK(worlds >= 100);
}

}  // namespace lagnet::round_times_test
