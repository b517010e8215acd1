#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>

#include "algorithms/peers/bases/peers.hpp"
#include "scenarios/assembly/assemble.hpp"
#include "scenarios/run/run.hpp"
#include "sim/accounts/ledger.hpp"
#include "sim/base/draws.hpp"
#include "tests/property/registered/scenarios_of_algorithms.hpp"

/// What methods of peers with compressed differences keep in worlds in which messages are late, sent again, doubled and
/// overtake each other: the mean of the agents moves by the mean gradient alone, since all that is mixed adds up to 0.
namespace lagnet::compressed_invariants_test {

namespace {

constexpr int worlds_of_each = 12;
constexpr Round rounds = 40;

/// What is done with the gradients of the round before: mean x_t = mean x_{t-1} - step(t) mean grad f(y), y = x_{t-1}.
struct Method {
  Json algorithm;
  double (*step)(Round t);
};
std::map<std::string, Method> methods() {
  const auto none = [](Round) { return 0.0; };
  const auto constant = [](Round) { return 0.02; };
  const auto falling = [](Round t) { return 0.02 / std::sqrt(static_cast<double>(t)); };
  return {{"choco_gossip", {{{"kind", "choco_gossip"}, {"gamma", 0.1}}, none}},
          {"choco_sgd", {{{"kind", "choco_sgd"}, {"step", 0.02}, {"decay", 0.5}, {"gamma", 0.1}}, falling}},
          {"lead", {{{"kind", "lead"}, {"step", 0.02}, {"alpha", 0.3}, {"gamma", 0.2}}, constant}},
          {"beer", {{{"kind", "beer"}, {"step", 0.02}, {"gamma", 0.1}}, constant}}};
}

/// One that is contractive, or unbiased with a small omega.
Json drawn_compressor(Draws& draws) {
  switch (draws.below(6)) {
    case 0:
      return {{"kind", "top_k"}, {"fraction", draws.uniform(0.1, 1)}};
    case 1:
      return {{"kind", "rand_k"}, {"k", 1 + draws.below(11)}, {"scaled", false}};
    case 2:
      return {{"kind", "dithering"}, {"levels", 1 + draws.below(9)}, {"norm", "linf"}, {"contractive", true}};
    case 3:
      return {{"kind", "scaled_sign"}};
    case 4:
      return {{"kind", "natural"}};
    default:
      return {{"kind", "rounding"}, {"format", "bfloat16"}};
  }
}

/// Random latencies, jitter, losses that are repaired, copies, and messages that are held back.
Json drawn_network(Draws& draws) {
  return {{"latency_ms", {{"kind", "lognormal"}, {"median", draws.uniform(1, 50)}, {"sigma", 1}}},
          {"jitter_ms", {{"kind", "uniform"}, {"low", 0}, {"high", draws.uniform(0, 100)}}},
          {"sharing", Json::array({"none", "fifo", "fair"})[draws.below(3)]},
          {"bandwidth_bytes_per_s", draws.uniform(1e4, 1e7)},
          {"loss_probability", draws.uniform(0, 0.4)},
          {"retransmit", {{"timeout_ms", draws.uniform(1, 200)}}},
          {"duplicate_probability", draws.uniform(0, 0.5)},
          {"reordering", {{"probability", draws.uniform(0, 0.5)}, {"delay_ms", draws.uniform(0, 300)}}}};
}

struct Reports final : Recorder {
  std::map<Round, std::map<AgentId, Vector>> x;
  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override { x[round][agent] = parts[0]; }
  Vector mean(Round t) const {
    Vector sum = Vector::Zero(x.at(t).at(0).size());
    for (const auto& [agent, vector] : x.at(t)) sum += vector;
    return sum / static_cast<double>(x.at(t).size());
  }
};

struct Run {
  Experiment experiment;
  Reports reports;
  AgentAccount total;
};
Run run_of(const Json& document) {
  ExperimentCache cache;
  Run run{.experiment = assemble(read_scenario({"invariants.json", "/nowhere", document}), "invariants.json", cache)};
  const auto world = run.experiment.simulation(1);
  Ledger ledger(world->network().agents(), world->network().links());
  world->listen(ledger);
  world->record(run.reports);
  world->run();
  run.total = ledger.total();
  return run;
}

void check_means(const Run& run, double (*step)(Round)) {
  const auto* method = dynamic_cast<const PeerAlgorithm*>(run.experiment.algorithm.get());
  const bool is_lead = run.experiment.scenario.algorithm.kind() == "lead";
  for (Round t = is_lead ? 2 : 1; t <= rounds; ++t) {  // lead is a step ahead in round 1
    Vector expected = run.reports.mean(t - 1);
    if (method)
      for (const auto& [agent, x] : run.reports.x.at(t - 1))
        expected -= step(t) * method->gradient(agent, x) / static_cast<double>(run.reports.x.at(t).size());
    // A few dozen roundings of numbers below 10 in each of 40 rounds, which D and V add up.
    CHECK((run.reports.mean(t) - expected).lpNorm<Eigen::Infinity>() < 1e-12);
  }
}

}  // namespace

TEST_CASE("The mean of peers with compressed differences moves only by gradients in 48 random worlds") {
  std::int64_t lost = 0, copies = 0;
  std::uint32_t number = 0;
  for (const auto& [name, method] : methods()) {
    ++number;
    for (int k = 0; k < worlds_of_each; ++k) {
      Draws draws(static_cast<std::uint64_t>(k), Purpose{"test"}, number);
      Json document = Json::parse(test::base_of_scenarios);
      document["seed"] = k + 1;
      document["topology"] = {{"kind", "random_regular"}, {"agents", 8}, {"degree", 3}};
      document["stop"] = {{"rounds", rounds}};
      document["algorithm"] = method.algorithm;
      document["algorithm"]["compressor"] = drawn_compressor(draws);
      Json plain = document;
      document["network"] = drawn_network(draws);
      CAPTURE(name, document["algorithm"].dump(), document["network"].dump());
      const Run run = run_of(document);
      check_means(run, method.step);
      lost += run.total.messages_lost;
      copies += run.total.duplicates;
      CHECK(run_of(plain).reports.x == run.reports.x);  // bit for bit: times decide nothing
    }
  }
  CHECK(lost > 1000);
  CHECK(copies > 1000);
}

}  // namespace lagnet::compressed_invariants_test
