#include "scenarios/design/round_delays.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/scenarios/design/peers.hpp"

namespace lagnet::round_delays_test {

namespace {

struct Both {
  double simulated_s = 0;
  std::optional<PredictedCycle> predicted;
};

/// In which every agent computes for 0.5 s and sends 60 bytes to each neighbor.
SteadyRounds rounds_of(const Network& network) {
  SteadyRounds rounds{.network = network};
  for (AgentId agent = 0; agent < network.agents(); ++agent)
    rounds.agents.push_back(
        {.busy_s = 0.5, .messages = static_cast<double>(network.links_of(agent).size()), .message_bytes = 60});
  return rounds;
}

Both cycle_of(const std::string& changes) {
  const ScenarioFile file = regional_peers(changes);
  const Scenario scenario = read_scenario(file);
  ExperimentCache cache;
  const SteadyRounds rounds = steady_rounds(scenario, file.shown, cache);
  return {rounds.cycle_s, predicted_cycle_s(rounds, scenario.network.sharing)};
}

}  // namespace

TEST_CASE("the cycle time is that of the links with the longest delays by equation (3)") {
  // 0 -> 1 of 3 ms and 1000 B/s, between interfaces of 400 B/s up and 300 B/s down; 0 has two links and 1 has one. Of
  // the 600 B/s down of 0 a half is as much as all of what 1 has up. 0 and 2 are sooner with each other.
  const auto ms = [](double latency) { return Duration::milliseconds(latency); };
  const SteadyRounds rounds =
      rounds_of(Network(3, {{0, 1, ms(3), 1000}, {1, 0, ms(4), 1000}, {0, 2, ms(1), 1000}, {2, 0, ms(1), 1000}},
                        {{400, 600}, {300, 300}, {300, 300}}));
  for (const Sharing sharing : {Sharing::fifo, Sharing::fair})
    CHECK(predicted_cycle_s(rounds, sharing).value().seconds ==
          Approx((0.503 + 60.0 / 200 + 0.504 + 60.0 / 300) / 2).epsilon(1e-12));
  CHECK(predicted_cycle_s(rounds, Sharing::none).value().seconds ==
        Approx((0.503 + 60.0 / 300 + 0.504 + 60.0 / 300) / 2).epsilon(1e-12));
}

TEST_CASE("links over one route have a share each of its narrowest inner link") {
  const auto ms = [](double latency) { return Duration::milliseconds(latency); };
  std::vector<LinkSpec> links{{0, 1, ms(3), 1000}, {1, 0, ms(3), 1000}, {0, 2, ms(3), 1000}, {2, 0, ms(3), 1000}};
  links[0].route = links[2].route = 1;
  const SteadyRounds rounds = rounds_of(Network(
      3, links, {}, LinkDirections::both,
      {.links = {{.latency = ms(20), .bandwidth_bytes_per_s = 100}}, .routes = {{}, {0}}, .detours = {}, .media = {}}));
  CHECK(predicted_cycle_s(rounds, Sharing::fair).value().seconds ==
        Approx((0.523 + 60.0 / 50 + 0.503 + 0.06) / 2).epsilon(1e-12));
  CHECK(predicted_cycle_s(rounds, Sharing::none).value().seconds ==
        Approx((0.523 + 60.0 / 100 + 0.503 + 0.06) / 2).epsilon(1e-12));
}

TEST_CASE("any two agents of a complete graph have a delay") {
  const Network network(2, {{0, 1, Duration::milliseconds(1), 100}, {1, 0, Duration::milliseconds(2), 200}});
  Matrix expected(2, 2);
  expected << 0, 0.101, 0.252, 0;
  const Matrix found = pair_delays(
      {{.busy_s = 0, .messages = 1, .message_bytes = 10}, {.busy_s = 0.2, .messages = 1, .message_bytes = 10}},
      network);
  CHECK((found - expected).cwiseAbs().maxCoeff() < 1e-15);
}

TEST_CASE("the cycle time by delays is the simulated one to 1e-9 where nothing is shared or drawn") {
  for (const char* algorithm : {"dgd", "gossip_averaging", "extra", "nids"})
    for (const char* topology : {R"({"kind": "ring"})", R"({"kind": "star"})", R"({"kind": "binary_tree"})",
                                 R"({"kind": "complete"})", R"({"kind": "random_regular", "degree": 4})"})
      for (const char* network :
           {R"({})", R"({"latency_ms": null, "bandwidth_bytes_per_s": 3e4})",
            R"({"latency_ms": {"kind": "uniform", "low": 1, "high": 90, "path": null, "round_trip": null}})",
            R"({"bandwidth_bytes_per_s": {"kind": "lognormal", "median": 1e4, "sigma": 1}})",
            R"({"up_bytes_per_s": 2e3, "sharing": "none"})"}) {
        INFO(algorithm << " " << topology << " " << network);
        const Both cycle = cycle_of(R"({"compute": {"speed_flops_per_s": {"kind": "uniform", "low": 1e4, "high": 1e6}},
                                        "algorithm": {"kind": ")" +
                                    std::string(algorithm) + R"(", "step": null}, "topology": )" + topology +
                                    R"(, "network": )" + network + "}");
        REQUIRE(cycle.predicted);
        CHECK(cycle.predicted->is_exact);
        CHECK(cycle.predicted->seconds == Approx(cycle.simulated_s).epsilon(1e-9));
      }
}

TEST_CASE("a link that sends slower than neighbors wait is the time of a round") {
  // There and back take 1.001 s on average, but the way there alone sends for 2 s.
  const Both cycle = cycle_of(R"({"topology": {"kind": "path", "agents": 2}, "compute": {"speed_flops_per_s": 1e12},
    "network": {"latency_ms": null, "bandwidth_bytes_per_s": 1e9, "links": [
      {"links": [[0, 1]], "both_ways": false, "bandwidth_bytes_per_s": 28}]}})");
  CHECK(cycle.simulated_s == Approx(2).epsilon(1e-9));
  CHECK(cycle.predicted.value().seconds == Approx(2).epsilon(1e-9));
}

TEST_CASE("where routes are shared the cycle time by delays is an estimate near the simulated one") {
  const Both cycle = cycle_of(R"({"topology": {"kind": "complete", "agents": 4}, "network": {"latency_ms": null,
    "bandwidth_bytes_per_s": null, "underlay": {"nodes": 2, "agents": ["0", "0", "1", "1"],
    "links": [{"ends": ["0", "1"], "bandwidth_bytes_per_s": 1000}]}}})");
  REQUIRE(cycle.predicted);
  CHECK_FALSE(cycle.predicted->is_exact);
  // Four messages cross in each direction; computing and the way back of the first ones hide in that.
  CHECK(cycle.predicted->seconds == Approx(cycle.simulated_s).epsilon(0.01));
}

TEST_CASE("where interfaces are shared the cycle time by delays is an estimate") {
  const std::string shared =
      R"({"topology": {"kind": "star"}, "network": {"up_bytes_per_s": 1000, "down_bytes_per_s": 1000}})";
  const Both cycle = cycle_of(shared);
  CHECK_FALSE(cycle.predicted.value().is_exact);
  // The center sends nine messages of 56 ms each, and so does it receive them.
  CHECK(cycle.simulated_s >= 9 * 0.056 - 1e-12);
  CHECK(cycle.predicted->seconds > 9 * 0.056);
  CHECK(cycle.predicted->seconds == Approx(cycle.simulated_s).epsilon(0.3));  // measured
}

TEST_CASE("rounds of several exchanges have no cycle time by delays") {
  CHECK_FALSE(cycle_of(R"({"algorithm": {"kind": "dgd", "gossip_rounds": 2}})").predicted);
}

}  // namespace lagnet::round_delays_test
