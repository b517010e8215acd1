#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "scenarios/assembly/assemble.hpp"
#include "sim/engine/simulation.hpp"

/// Methods whose links may go one way keep sums over all agents by what is sent. Whatever befalls a message but its
/// loss for good moves neither these sums nor any number.
namespace lagnet::one_way_sums_test {

namespace {

constexpr Round last_round = 40;
constexpr int seeds_of_each = 4;

const char* const base_of_sums = R"({
  "lagnet": 1,
  "data": {"source": "gaussian_regression", "samples": 63, "features": 5, "scale": 0.4},
  "problem": {"loss": {"kind": "squared"}, "regularizer": {"kind": "l2", "weight": 0.1}},
  "stop": {"rounds": 40}
})";

const std::map<std::string, std::string> methods_of_sums{
    {"push-sum", R"({"kind": "push_sum"})"},
    {"subgradient-push", R"({"kind": "subgradient_push", "step": 0.5})"},
    {"push-DIGing", R"({"kind": "push_diging", "step": 0.1})"},
    {"push-pull", R"({"kind": "push_pull", "step": 0.1})"},
    {"AB", R"({"kind": "push_pull", "step": 0.1, "form": "combine_then_adapt"})"}};

const std::vector<std::string> topologies_of_sums{
    R"({"kind": "random_out", "agents": 9, "degree": 2})",
    R"({"kind": "orient", "of": {"kind": "lattice", "rows": 3, "columns": 3}, "one_way": 0.6})",
    R"({"kind": "star", "agents": 9})", R"({"kind": "epidemic", "agents": 9, "s": 2})"};

const std::map<std::string, std::string> worlds_of_sums{
    {"latencies and jitter",
     R"({"network": {"latency_ms": {"kind": "uniform", "low": 1, "high": 30}, "jitter_ms": 20},
         "compute": {"speed_flops_per_s": {"kind": "lognormal", "median": 1e5, "sigma": 1}}})"},
    {"losses that are repaired",
     R"({"network": {"loss_probability": 0.3, "retransmit": {"timeout_ms": 5}, "jitter_ms": 3}})"},
    {"copies out of order",
     R"({"network": {"duplicate_probability": 0.3, "reordering": {"probability": 0.3, "delay_ms": 40}}})"},
    {"all of it on shared links",
     R"({"network": {"sharing": "fair", "bandwidth_bytes_per_s": 2e4, "up_bytes_per_s": 3e4, "jitter_ms": 5,
                     "burst_loss": {"enter": 0.1, "leave": 0.4}, "retransmit": {"timeout_ms": 20},
                     "duplicate_probability": 0.1},
         "compute": {"straggler": {"probability": 0.2, "factor": 30}}})"}};

struct AllReports final : Recorder {
  std::vector<std::map<AgentId, std::vector<Vector>>> of_round;  // the parts of each agent
  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override {
    of_round.resize(std::max(of_round.size(), static_cast<std::size_t>(round) + 1));
    of_round[static_cast<std::size_t>(round)][agent].assign(parts.begin(), parts.end());
  }
};

AllReports reports_in(const Json& document) {
  ExperimentCache cache;
  const Experiment experiment = assemble(read_scenario({"sums.json", "/nowhere", document}), "sums.json", cache);
  const auto world = experiment.simulation(1);
  AllReports reports;
  world->record(reports);
  world->run();
  return reports;
}

/// A number or vector of each agent's report, added up.
template <class Part>
Vector sum_over_agents(const std::map<AgentId, std::vector<Vector>>& reports, const Part& part) {
  Vector sum = part(reports.at(0));
  for (const auto& [agent, parts] : reports)
    if (agent > 0) sum += part(parts);
  return sum;
}

/// In each round eight numbers or so of each agent are rounded, of order 1; so are gradients of such data.
constexpr double rounding = 1e-15 * 9 * 8;

void check_sums(const std::string& method, const AllReports& reports) {
  using Parts = std::vector<Vector>;
  const auto values = [](const Parts& parts) -> Vector { return parts[1][0] * parts[0]; };
  const Vector total = method == "push-sum" ? sum_over_agents(reports.of_round.at(0), values) : Vector();
  for (Round t = 0; t <= last_round; ++t) {
    CAPTURE(t);
    const auto& round = reports.of_round.at(static_cast<std::size_t>(t));
    REQUIRE(round.size() == 9);
    const double tolerance = rounding * (1 + static_cast<double>(t));
    const std::size_t parts = round.at(0).size();
    const bool has_weights = method != "push-pull" && method != "AB",
               tracks = method != "push-sum" && parts >= 2 && method != "subgradient-push";
    if (has_weights) {  // sum w = m, w > 0: the last part
      CHECK(std::abs(sum_over_agents(round, [](const Parts& all) { return all.back(); })[0] - 9) < tolerance);
      for (const auto& [agent, all] : round) CHECK(all.back()[0] > 0);
    }
    if (tracks)  // sum y = sum g
      CHECK(sum_over_agents(round, [](const Parts& all) { return all[1]; }).cwiseAbs().maxCoeff() < tolerance);
    if (method == "push-sum")
      CHECK((sum_over_agents(round, values) - total).cwiseAbs().maxCoeff() <
            tolerance * (1 + total.cwiseAbs().maxCoeff()));
  }
}

}  // namespace

TEST_CASE("whatever delays or doubles messages of one-way methods moves neither their sums nor a number") {
  for (const auto& [method, algorithm] : methods_of_sums)
    for (const std::string& topology : topologies_of_sums)
      for (int seed = 1; seed <= seeds_of_each; ++seed) {
        Json document = Json::parse(base_of_sums);
        document["algorithm"] = Json::parse(algorithm);
        document["topology"] = Json::parse(topology);
        document["seed"] = seed;
        CAPTURE(method, topology, seed);
        const AllReports plain = reports_in(document);
        check_sums(method, plain);
        for (const auto& [world, changes] : worlds_of_sums) {
          CAPTURE(world);
          Json changed = document;
          changed.merge_patch(Json::parse(changes));
          const AllReports reports = reports_in(changed);
          CHECK(reports.of_round == plain.of_round);  // bit by bit
        }
      }
}

TEST_CASE("one-way methods refuse worlds in which a message may never arrive") {
  Json document = Json::parse(base_of_sums);
  document["topology"] = Json::parse(topologies_of_sums[0]);
  const std::map<std::string, std::string> refused{
      {"/network/loss_probability", R"({"network": {"loss_probability": 0.1}})"},
      {"/network/burst_loss", R"({"network": {"burst_loss": {"enter": 0.1, "leave": 0.4}}})"},
      {"/network/partitions", R"({"network": {"partitions": [{"from_s": 1, "until_s": 2, "groups": [[0, 1]]}]}})"},
      {"/participation/missing_neighbor/kind",
       R"({"participation": {"missing_neighbor": {"kind": "skip", "deadline_ms": 5}}})"},
      {"/participation/availability",
       R"({"participation": {"availability": [{"kind": "on_off", "mean_up_s": 1, "mean_down_s": 1}]}})"}};
  for (const auto& [method, algorithm] : methods_of_sums)
    for (const auto& [pointer, changes] : refused) {
      document["algorithm"] = Json::parse(algorithm);
      Json changed = document;
      changed.merge_patch(Json::parse(changes));
      CAPTURE(method, pointer);
      const std::string why =
          "since " + document["algorithm"]["kind"].get<std::string>() + " keeps sums by what is sent";
      ExperimentCache cache;
      try {
        assemble(read_scenario({"sums.json", "/nowhere", changed}), "sums.json", cache);
        FAIL("it was not refused");
      } catch (const Diagnosed& error) {
        REQUIRE(error.diagnostics.size() == 1);
        CHECK(error.diagnostics.front().where == pointer);
        CHECK_THAT(error.diagnostics.front().expected, Catch::EndsWith(why));
      }
    }
}

}  // namespace lagnet::one_way_sums_test
