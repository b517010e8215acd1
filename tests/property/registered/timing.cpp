#include <fmt/format.h>
#include <algorithm>

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "checkout_paths.hpp"
#include "scenarios/assembly/assemble.hpp"
#include "scenarios/results/progress_csv.hpp"
#include "scenarios/run/run.hpp"
#include "tests/property/registered/scenarios_of_algorithms.hpp"
#include "tests/unit/scenarios/results/written_files.hpp"

namespace lagnet::timing_test {

using test::scenario_with;

namespace {

/// The worlds by name, as changes of the base: what may befall peers, and what may befall a server's clients.
std::map<std::string, std::string> worlds(const AlgorithmTraits& traits) {
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
  const std::string skewed = R"({"partition": {"kind": "quantity_skew", "concentration": 1}})";
  if (!traits.every_message.empty()) {  // no other world is taken
    if (traits.server) all["skewed quantities"] = skewed;
    if (traits.server && traits.cohorts != Cohorts::all)
      all["some clients"] = R"({"participation": {"clients": {"kind": "random_subset", "size": 5}}})";
    return all;
  }
  if (traits.server && traits.depends_on_order && traits.closes_rounds) {  // its server does not wait for good
    all["losses and a deadline"] = R"({"network": {"loss_probability": 0.2}, "participation": {"deadline_ms": 60}})";
    all["clients that are away"] = R"({"participation": {"deadline_ms": 60, "availability": [)" + down + "]}}";
    return all;
  }
  if (traits.server && traits.depends_on_order) {
    all["losses that clients repair"] = R"({"network": {"loss_probability": 0.2}, "algorithm": {"resend_ms": 60}})";
    all["clients that are away"] =
        R"({"participation": {"availability": [)" + down + R"(]}, "algorithm": {"resend_ms": 60}})";
    all["a state that is lost"] = R"({"participation": {"availability": [)" + lost_state + "]}}";
    all["a deadlock"] = R"({"network": {"loss_probability": 0.2}})";
    return all;
  }
  if (traits.server) {
    all["some clients"] = R"({"participation": {"clients": {"kind": "random_subset", "size": 5}, "enough": 4}})";
    all["losses and a deadline"] = R"({"network": {"loss_probability": 0.2}, "participation": {"deadline_ms": 60}})";
    all["clients that are away"] = R"({"participation": {"deadline_ms": 60, "availability": [)" + down + "]}}";
    all["skewed quantities"] = skewed;
    return all;
  }
  if (traits.depends_on_order) return all;  // of peers: they do not wait
  const std::string silent = fmt::format(R"("missing_neighbor": {{"kind": "{}", "deadline_ms": 30}})",
                                         traits.no_last_values.empty() ? "reuse_last" : "skip");
  if (traits.same_links.empty())
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

}  // namespace

TEST_CASE("Without numbers every algorithm that offers it gives the same events, messages, times and accounts") {
  for (const auto& entry : AlgorithmFamily::catalogue().entries()) {
    const AlgorithmTraits traits = test::traits_of_registered(*entry);
    if (!traits.timing_only) continue;
    const Json small = scenario_with(*entry, traits);
    if (test::is_of_one_agent(small)) continue;
    const std::vector<FieldText> keys = entry->describe();
    const bool resends = std::ranges::find(keys, "resend_ms", &FieldText::key) != keys.end();
    for (const auto& [world, changes] : worlds(traits)) {
      CAPTURE(std::string(entry->kind), world);
      if (traits.partition_by != PartitionBy::samples && world == "skewed quantities") continue;
      Json document = small;
      document.merge_patch(Json::parse(changes));
      if (!resends) document["algorithm"].erase("resend_ms");
      check_same_events(std::move(document));
    }
  }
}

TEST_CASE("An algorithm that does not offer timing is refused without numbers, and those that do are named") {
  int offering = 0;
  for (const auto& entry : AlgorithmFamily::catalogue().entries()) {
    const AlgorithmTraits traits = test::traits_of_registered(*entry);
    if (traits.timing_only) ++offering;
    Json document = scenario_with(*entry, traits);
    document["numerics"] = "off";
    CAPTURE(std::string(entry->kind));
    std::string said;
    try {
      read_scenario({"timing.json", "/nowhere", document});
    } catch (const Diagnosed& error) {
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
