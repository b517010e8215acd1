#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "checkout_paths.hpp"
#include "scenarios/assembly/assemble.hpp"
#include "scenarios/results/progress_csv.hpp"
#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/results/written_files.hpp"

namespace lagnet::timing_test {

namespace {

/// What the worlds have in common: every link and every speed differs.
const char* const base = R"({
  "lagnet": 1, "seed": 7,
  "data": {"source": "gaussian_classification", "samples": 60, "features": 11, "intercept": true},
  "problem": {"loss": {"kind": "logistic"}, "regularizer": {"kind": "l2", "weight": 0.01}},
  "network": {"latency_ms": {"kind": "uniform", "low": 1, "high": 9}, "jitter_ms": 0.5, "bandwidth_bytes_per_s": 1e5,
              "header_bytes": 60},
  "compute": {"speed_flops_per_s": {"kind": "lognormal", "median": 1e6, "sigma": 0.5},
              "memory_bandwidth_bytes_per_s": 1e7, "straggler": {"probability": 0.2, "factor": 5}},
  "stop": {"rounds": 25}, "record": {"every": 3}
})";

/// The worlds by name, as changes of the base: what may befall peers, and what may befall a server's clients.
std::map<std::string, std::string> worlds(bool has_server) {
  const std::string down = R"({"kind": "on_off", "mean_up_s": 0.3, "mean_down_s": 0.05})";
  const std::string lost_state =
      R"({"kind": "crash", "agent": 3, "at_s": 0.2, "recovers_after_s": 0.1, "state": "lost"})";
  std::map<std::string, std::string> all{
      {"plain", "{}"},
      {"retransmissions", R"({"network": {"loss_probability": 0.2, "retransmit": {"timeout_ms": 40}}})"},
      {"first in first out", R"({"network": {"sharing": "fifo", "up_bytes_per_s": 2e5}})"},
      {"fair shares", R"({"network": {"sharing": "fair", "up_bytes_per_s": 2e5, "down_bytes_per_s": 2e5}})"},
      {"half precision", R"({"network": {"bytes_per_scalar": 2}})"},
      {"a file", R"({"data": {"source": "libsvm", "path": ")" LAGNET_SOURCE_DIR
                 R"(/scenarios/data/sets/mushrooms.libsvm.gz", "labels": "sign", "max_samples": 300,
                     "samples": null, "features": null}})"}};
  if (has_server) {
    all["some clients"] = R"({"participation": {"clients": {"kind": "random_subset", "size": 5}, "enough": 4}})";
    all["losses and a deadline"] = R"({"network": {"loss_probability": 0.2}, "participation": {"deadline_ms": 60}})";
    all["clients that are away"] = R"({"participation": {"deadline_ms": 60, "availability": [)" + down + "]}}";
    all["skewed quantities"] = R"({"partition": {"kind": "quantity_skew", "concentration": 1}})";
    return all;
  }
  const std::string silent = R"("missing_neighbor": {"kind": "reuse_last", "deadline_ms": 30})";
  all["a topology that changes"] = R"({"topology": {"changes": {"kind": "random_matchings"}}})";
  all["silent neighbors"] = R"({"network": {"loss_probability": 0.2}, "participation": {)" + silent + "}}";
  all["skipped neighbors"] =
      R"({"network": {"loss_probability": 0.2},
          "participation": {"missing_neighbor": {"kind": "skip", "deadline_ms": 30}}})";
  all["peers that are away"] = R"({"participation": {)" + silent + R"(, "availability": [)" + down + "]}}";
  all["a state that is lost"] = R"({"participation": {)" + silent + R"(, "availability": [)" + lost_state + "]}}";
  all["a deadlock"] = R"({"network": {"loss_probability": 0.2}})";
  return all;
}

/// An algorithm with something for each key that must be given, and minibatches where it knows them.
Json algorithm_of(const KindOfOptions& kind) {
  Json algorithm{{"kind", kind.kind}};
  for (const FieldText& field : kind.describe()) {
    const bool is_part = field.key.find('[') != std::string::npos;  // of a list's entries
    if (field.required && !is_part) algorithm[field.key] = field.type == "number" ? Json(0.1) : Json(1);
    if (field.key == "batch") algorithm[field.key] = 4;
    if (field.key == "local_steps") algorithm[field.key] = 3;
    if (field.key == "stages")
      algorithm[field.key] = Json::parse(R"([{"lambda": 0.04, "rounds": 7, "local_steps": 2},
                                             {"lambda": 0.02, "rounds": 1}, {"lambda": 0.01, "rounds": 40}])");
  }
  return algorithm;
}

Outcome outcome_of(const Json& document, Experiment& experiment) {
  ExperimentCache cache;
  experiment = assemble(read_scenario({"timing.json", "/nowhere", document}), "timing.json", cache);
  return run(experiment);
}

/// The values of a row but those that need numbers.
std::vector<std::string> timing_of(const Row& row, const Algorithm& algorithm) {
  std::vector<std::string> values = progress_cells(row);
  const auto numbers = values.begin() + 2;  // objective, relative_error, and the algorithm's own
  values.erase(numbers, numbers + 2 + std::ssize(algorithm.metric_names()));
  return values;
}

void check_same_events(Json document) {
  Experiment with, without;
  const Outcome on = outcome_of(document, with);
  document["numerics"] = "off";
  const Outcome off = outcome_of(document, without);
  CHECK(off.trace_hash == on.trace_hash);
  CHECK(off.trace_events == on.trace_events);
  CHECK(off.stop == on.stop);
  CHECK(off.ending.events == on.ending.events);
  CHECK(off.ending.last_report == on.ending.last_report);
  CHECK(off.ending.last_event == on.ending.last_event);
  CHECK(off.deadlock == on.deadlock);
  REQUIRE(off.rows.size() == on.rows.size());
  for (std::size_t k = 0; k < on.rows.size(); ++k) {
    CHECK(timing_of(off.rows[k], *without.algorithm) == timing_of(on.rows[k], *with.algorithm));
    CHECK_FALSE(off.rows[k].objective);
    CHECK(on.rows[k].objective);
  }
  const auto files = written_files(without, off), files_on = written_files(with, on);
  CHECK(files.at("agents.csv") == files_on.at("agents.csv"));
  CHECK(files.at("links.csv") == files_on.at("links.csv"));
  CHECK(on.ledger.total().messages_sent > 0);
  CHECK(on.ledger.total().flops > 0);
}

Json scenario_with(const KindOfOptions& kind, const AlgorithmTraits& traits) {
  Json document = Json::parse(base);
  document["algorithm"] = algorithm_of(kind);
  if (kind.kind == "mc_fed_da") document["problem"]["regularizer"] = {{"kind", "l1"}, {"weight", 0.01}};  // a norm
  if (kind.kind == "gradient_tracking" || kind.kind == "decentralized_admm")
    document["problem"]["regularizer"] = {{"kind", "none"}};                               // all that they know
  if (kind.kind == "consensus_admm") document["problem"]["loss"] = {{"kind", "squared"}};  // exact minimizers
  if (traits.partition_by == PartitionBy::cells) document["partition"] = {{"kind", "blocks"}, {"feature_groups", 2}};
  document["topology"] = traits.server ? Json{{"kind", "star"}, {"agents", 9}} : Json{{"kind", "ring"}, {"agents", 8}};
  return document;
}

}  // namespace

TEST_CASE("Without numbers every algorithm that offers it gives the same events, messages, times and accounts") {
  for (const auto& entry : AlgorithmFamily::catalogue().entries()) {
    const AlgorithmTraits traits = entry->make(entry->defaults().get()).traits;
    if (!traits.timing_only) continue;
    if (entry->kind == "proximal_gradient" || entry->kind == "accelerated_proximal_gradient")
      continue;  // of one agent, which sends nothing
    for (const auto& [world, changes] : worlds(traits.server)) {
      CAPTURE(std::string(entry->kind), world);
      if (traits.partition_by == PartitionBy::cells && world == "skewed quantities") continue;  // of whole samples
      Json document = scenario_with(*entry, traits);
      document.merge_patch(Json::parse(changes));
      check_same_events(std::move(document));
    }
  }
}

TEST_CASE("An algorithm that does not offer timing is refused without numbers, and those that do are named") {
  int offering = 0;
  for (const auto& entry : AlgorithmFamily::catalogue().entries()) {
    const AlgorithmTraits traits = entry->make(entry->defaults().get()).traits;
    if (traits.timing_only) ++offering;
    Json document = scenario_with(*entry, traits);
    document["numerics"] = "off";
    CAPTURE(std::string(entry->kind));
    std::string said;
    try {
      read_scenario({"timing.json", "/nowhere", document});
    } catch (const ScenarioError& error) {
      said = error.what();
    }
    CHECK(said == (traits.timing_only
                       ? ""
                       : "timing.json: /algorithm/kind: expected an algorithm that offers timing with numerics off (" +
                             kinds_that_offer_timing() + "), found " + std::string(entry->kind)));
  }
  CHECK(offering >= 2);
}

}  // namespace lagnet::timing_test
