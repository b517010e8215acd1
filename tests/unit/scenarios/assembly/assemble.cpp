#include "scenarios/assembly/assemble.hpp"

#include <catch2/catch.hpp>
#include <thread>

#include "scenarios/assembly/make_network.hpp"
#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::assemble_test {

namespace {

Experiment assembled(const ScenarioFile& file) {
  ExperimentCache cache;
  return assemble(read_scenario(file), file.shown, cache);
}

}  // namespace

TEST_CASE("a cache gives equal data and optima once, and others for another seed") {
  ExperimentCache cache;
  const Scenario ring = read_scenario(small_scenario());
  const Scenario star = read_scenario(small_scenario(R"({"topology": {"kind": "star"}})"));
  const Scenario other = read_scenario(small_scenario(R"({"seed": 2})"));
  const Experiment a = assemble(ring, "a", cache), b = assemble(star, "b", cache), c = assemble(other, "c", cache);
  CHECK(a.data == b.data);
  CHECK(a.optimum == b.optimum);
  CHECK(a.data != c.data);
  CHECK(a.optimum != c.optimum);
}

TEST_CASE("threads that ask a cache at the same time get the same data, norm and optimum") {
  ExperimentCache cache;
  const Scenario scenario = read_scenario(small_scenario(R"({"data": {"samples": 400, "features": 60}})"));
  std::vector<Experiment> made(4);
  {
    std::vector<std::jthread> threads;
    for (Experiment& one : made) threads.emplace_back([&] { one = assemble(scenario, "s", cache); });
  }
  for (const Experiment& one : made) {
    CHECK(one.data == made[0].data);
    CHECK(one.optimum == made[0].optimum);
  }
}

TEST_CASE("a cache without capacity keeps the data in use and the last request, and makes the rest again") {
  ExperimentCache cache;
  cache.keep_at_most(0);
  const Scenario scenario = read_scenario(small_scenario());
  const Scenario other = read_scenario(small_scenario(R"({"seed": 2})"));
  const std::weak_ptr<const DataSet> last = cache.data(scenario);
  CHECK(cache.data(scenario) == last.lock());
  const auto used = cache.data(other);
  CHECK(last.expired());
  CHECK_FALSE(cache.kept_bytes());
  CHECK(cache.data(scenario)->y.size() == 20);
  CHECK(cache.data(other) == used);
}

TEST_CASE("a shuffled partition changes the order of the columns and not the optimum") {
  const Experiment plain = assembled(small_scenario());
  const Experiment shuffled = assembled(small_scenario(R"({"partition": {"kind": "shuffled_features"}})"));
  REQUIRE(shuffled.partition.order.size() == 7);
  CHECK(shuffled.optimum->value == plain.optimum->value);
  const Vector theta = Vector::LinSpaced(7, -1, 1);
  Vector placed(7);
  for (Index k = 0; k < 7; ++k) placed[k] = theta[shuffled.partition.order[static_cast<std::size_t>(k)]];
  // 1e-14: sums of 7 products in another order.
  CHECK(shuffled.problem.objective(placed) == Approx(plain.problem.objective(theta)).epsilon(1e-14));
}

TEST_CASE("every direction of every link has its own draw of the latency, whatever else the topology has") {
  const std::string uniform = R"("network": {"latency_ms": {"kind": "uniform", "low": 1, "high": 9}})";
  const Scenario ring = read_scenario(small_scenario("{" + uniform + "}"));
  const Scenario complete = read_scenario(small_scenario(R"({"topology": {"kind": "complete"}, )" + uniform + "}"));
  const Network few = make_network(make_topology(ring, ""), ring.network, ring.seed, "");
  const Network many = make_network(make_topology(complete, ""), complete.network, complete.seed, "");
  const auto latency = [](const Network& network, AgentId from, AgentId to) {
    for (const Link& link : network.links_of(from))
      if (link.to == to) return link.latency;
    FAIL("no link from " << from << " to " << to);
    return Duration();
  };
  CHECK(latency(few, 0, 1) != latency(few, 1, 0));
  CHECK(latency(few, 0, 1) != latency(few, 1, 2));
  for (AgentId a = 0; a < 5; ++a) CHECK(latency(few, a, (a + 1) % 5) == latency(many, a, (a + 1) % 5));
}

TEST_CASE("facts of a weighted topology hold its weights, those of an unweighted one hold none") {
  const TestFolder folder;
  folder.write("e.csv", "0,1,2\n1,2,0.5\n");
  const std::string changes = R"({"topology": {"kind": "edge_list", "path": "e.csv", "agents": 3}})";
  const Scenario weighted = read_scenario(small_scenario(changes, folder.path()));
  const NetworkFacts facts = network_facts(make_topology(weighted, ""));
  CHECK(facts.link_weights == std::vector<std::vector<double>>{{2}, {2, 0.5}, {0.5}});
  CHECK(network_facts(make_topology(read_scenario(small_scenario()), "")).link_weights.empty());
}

TEST_CASE("the origin of data names their file without its folder") {
  const TestFolder folder;
  folder.write("d.csv", "1,2,3\n4,5,7\n");
  const std::string changes =
      R"({"data": {"source": "csv", "path": "d.csv", "samples": null, "features": null, "intercept": true}})";
  CHECK(assembled(small_scenario(changes, folder.path())).data->origin == "d.csv, intercept");
}

TEST_CASE("the warning of steps that are too large is a warning") {
  const Experiment made = assembled(small_scenario(R"({"algorithm": {"sigma": 1e3, "tau": 1e3}})"));
  REQUIRE(made.warnings.size() == 1);
  CHECK_THAT(made.warnings[0].text, Catch::StartsWith("tau sigma (chi + D)^2 / n^2 is ") &&
                                        Catch::EndsWith(", above 1: convergence is not guaranteed"));
  CHECK(assembled(small_scenario()).warnings.empty());
}

TEST_CASE("only a server may start at a normal point, drawn by the seed") {
  const std::string federated = R"("topology": {"kind": "star"}, "algorithm": {"kind": "fed_avg", "client_step": 0.1},
      "problem": {"start": "normal"}, "stop": {"rounds": 1}, )";
  const auto start = [&](int seed) {
    const Experiment made = assembled(small_scenario("{" + federated + R"("seed": )" + std::to_string(seed) + "}"));
    const Outcome outcome = run(made);
    return *outcome.rows.front().objective;
  };
  CHECK(start(1) == start(1));
  CHECK(start(1) != start(2));
  CHECK(scenario_problems([] { assembled(small_scenario(R"({"problem": {"start": "normal"}})")); }) ==
        "small.json: /problem/start: expected zero, where fd_primal_dual starts, found normal");
}

TEST_CASE("a normal point outside the set that coefficients must stay in starts at the nearest point of that") {
  const Outcome outcome = run(assembled(small_scenario(R"({"topology": {"kind": "star"}, "stop": {"rounds": 1},
      "problem": {"regularizer": {"kind": "none", "weight": null},
                  "constraint": {"kind": "l2_ball", "radius": 1e-12}, "start": "normal"},
      "algorithm": {"kind": "distributed_proximal_gradient"}})")));
  // Nowhere in so small a ball is the objective another than at zero, but for a share of about its radius.
  CHECK(*outcome.rows.front().objective == Approx(outcome.error_scale.initial).epsilon(1e-9));
}

}  // namespace lagnet::assemble_test
