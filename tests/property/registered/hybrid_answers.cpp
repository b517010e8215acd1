#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/run/run.hpp"

/// Hybrid methods where answers are missing: what holds in every world, for every draw.
namespace lagnet::hybrid_answers_test {

namespace {

/// 3 x 2 blocks. A link's round trip takes 2 to 18 ms, an iteration of HyFDCA about 70 ms.
const char* const base = R"({
  "lagnet": 1,
  "data": {"source": "gaussian_classification", "samples": 60, "features": 12},
  "problem": {"loss": {"kind": "logistic"}, "regularizer": {"kind": "l2", "weight": 0.05}},
  "partition": {"kind": "blocks", "feature_groups": 2},
  "topology": {"kind": "star", "agents": 7},
  "network": {"latency_ms": {"kind": "uniform", "low": 1, "high": 9}},
  "compute": {"speed_flops_per_s": {"kind": "lognormal", "median": 1e6, "sigma": 0.5},
              "encryption": {"encrypt_ms": 0.1, "decrypt_ms": 0.1, "add_ms": 0.01}},
  "stop": {"rounds": 400}, "record": {"every": 1}
})";

/// Worlds in which the same clients are always late: what is solved is the problem without them.
const std::set<std::string> selective{"the first four", "a tight deadline, out of order"};

/// Clients that are down for this share of the time, in spells of about two iterations.
std::string away(double share) {
  const double down = 0.14, up = down / share - down;
  return R"({"kind": "on_off", "agents": [1, 2, 3, 4, 5, 6], "mean_up_s": )" + std::to_string(up) +
         R"(, "mean_down_s": )" + std::to_string(down) + "}";
}

std::map<std::string, std::string> worlds() {
  const std::string crash = R"({"kind": "crash", "agent": 3, "at_s": 1.0, "recovers_after_s": 0.001})";
  const std::string later = R"({"kind": "crash", "agent": 4, "at_s": 2.0, "recovers_after_s": 0.5})";
  return {{"10 % away", R"({"participation": {"deadline_ms": 30, "availability": [)" + away(0.1) + "]}}"},
          {"30 % away", R"({"participation": {"deadline_ms": 30, "availability": [)" + away(0.3) + "]}}"},
          {"10 % lost", R"({"participation": {"deadline_ms": 30}, "network": {"loss_probability": 0.1}})"},
          {"30 % lost", R"({"participation": {"deadline_ms": 30}, "network": {"loss_probability": 0.3}})"},
          {"the first four", R"({"participation": {"enough": 4}})"},
          {"a tight deadline, out of order",
           R"({"participation": {"deadline_ms": 16}, "network": {"jitter_ms": 4, "duplicate_probability": 0.1}})"},
          {"some of them, some lost", R"({"participation": {"deadline_ms": 30, "clients":
             {"kind": "random_subset", "size": 3}}, "network": {"loss_probability": 0.1}})"},
          {"crashes that lose the state",
           R"({"participation": {"deadline_ms": 30, "availability": [)" + crash + ", " + later + "]}}"}};
}

Json algorithm_of(const std::string& kind) {
  Json algorithm{{"kind", kind}, {"local_steps", 1}};
  if (kind != "hyfdca") algorithm["a"] = 0.5;
  if (kind == "hyfem") algorithm["mu"] = 0.5;
  return algorithm;
}

Outcome outcome_of(const std::string& kind, const std::string& changes, int seed, Experiment& experiment) {
  Json document = Json::parse(base);
  document.merge_patch(Json::parse(changes));
  document["algorithm"] = algorithm_of(kind);
  document["seed"] = seed;
  ExperimentCache cache;
  experiment = assemble(read_scenario({"hybrid.json", "/nowhere", document}), "hybrid.json", cache);
  return run(experiment);
}

std::size_t place_of(const Algorithm& algorithm, const std::string& metric) {
  const std::vector<std::string> names = algorithm.metric_names();
  return static_cast<std::size_t>(std::ranges::find(names, metric) - names.begin());
}

}  // namespace

TEST_CASE("where answers are missing a hybrid method finishes all its rounds, and its counts are conserved") {
  for (const std::string kind : {"hyfdca", "hybrid_fed_avg", "hyfem"})
    for (const auto& [world, changes] : worlds())
      for (const int seed : {1, 2, 3}) {
        CAPTURE(kind, world, seed);
        Experiment experiment;
        const Outcome outcome = outcome_of(kind, changes, seed, experiment);
        CHECK(outcome.stop == StopReason::rounds);
        REQUIRE(outcome.rows.size() == 401);
        const AgentAccount total = outcome.ledger.total();
        CHECK(total.dropped > 0);
        CHECK(outcome.remarks.size() >= 1);
        std::int64_t sent = 0, delivered = 0, lost = 0;
        for (LinkId link = 0; link < outcome.ledger.links(); ++link) {
          const LinkAccount account = outcome.ledger.link(link);
          sent += account.messages_sent;
          delivered += account.messages_delivered;
          lost += account.messages_lost;
        }
        CHECK(sent >= delivered + lost);
        CHECK(sent - delivered - lost <= 12 * 400);  // on their way at the end: at most one a link and round
        const std::int64_t asked = changes.find("random_subset") != std::string::npos ? 3 : 6;
        std::int64_t missing = 0;
        for (std::size_t t = 1; t <= 400; ++t) missing += asked - outcome.rows[t].participants;
        // A client of HyFDCA may answer in some phases and then miss one; it is asked no more in that iteration.
        if (kind == "hyfdca")
          CHECK((missing <= total.dropped && total.dropped <= 400 * asked));
        else
          CHECK(total.dropped == missing);
      }
}

TEST_CASE("a client of HyFDCA that starts from the beginning in any phase of any iteration comes back into the run") {
  for (int at_ms = 1; at_ms < 300; at_ms += 2) {
    CAPTURE(at_ms);
    Experiment experiment;
    const Outcome outcome = outcome_of(
        "hyfdca",
        R"({"stop": {"rounds": 30}, "participation": {"deadline_ms": 30, "availability": [{"kind": "crash", "agent": 3,
            "recovers_after_s": 0.0001, "at_s": )" +
            std::to_string(at_ms / 1000.0) + "}]}}",
        1, experiment);
    CHECK(outcome.stop == StopReason::rounds);
    const std::size_t gap = place_of(*experiment.algorithm, "duality_gap");
    for (const Row& row : outcome.rows) REQUIRE(std::isfinite(*row.metrics[gap]));
    CHECK(outcome.rows.back().participants == 6);
  }
}

TEST_CASE("where answers are missing HyFDCA keeps its duals in the domain, its gap is a certificate and falls") {
  for (const auto& [world, changes] : worlds())
    for (const int seed : {1, 2, 3}) {
      CAPTURE(world, seed);
      Experiment experiment;
      const Outcome outcome = outcome_of("hyfdca", changes, seed, experiment);
      const std::size_t gap = place_of(*experiment.algorithm, "duality_gap");
      double least = 1;
      for (const Row& row : outcome.rows) {
        REQUIRE(row.metrics[gap]);
        REQUIRE(std::isfinite(*row.metrics[gap]));
        REQUIRE(*row.metrics[gap] >= -1e-12);  // rounding of P and D, which are about 1
        least = std::min(least, *row.metrics[gap]);
      }
      // Where 30 % of all messages are lost, a client's D1 counts in 0.7^6 of the iterations: in 47 of 400.
      if (!selective.contains(world)) CHECK(least < 0.05 * *outcome.rows.front().metrics[gap]);
    }
}

}  // namespace lagnet::hybrid_answers_test
