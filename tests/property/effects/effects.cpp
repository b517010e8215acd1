#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <string>

#include "checkout_paths.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/kinds/python_class.hpp"
#include "scenarios/json/schema.hpp"
#include "tests/property/effects/key_walk.hpp"
#include "tests/property/effects/results_of_documents.hpp"
#include "tests/property/effects/without_effect.hpp"
#include "tests/property/registered/scenarios_of_algorithms.hpp"

namespace lagnet::effects_test {

using test::Came;
using test::KeyWalk;

namespace {

/// What became of each key, by the world in which it was tried.
using Found = std::map<std::pair<std::string, std::string>, Came>;

class Worlds {
 public:
  Worlds() : schema_(schema_of<Scenario>()) {}

  /// Walks over the keys at these pointers of a document with all defaults.
  void walk(const std::string& world, const Json& document, const std::vector<std::string>& pointers,
            const KeyWalk::Result& result = test::result_of_run) {
    KeyWalk one(schema_, test::hints(), result, test::with_defaults);
    INFO(world);
    CHECK_NOTHROW(one.walk(document, pointers));
    add(world, one);
  }
  /// Walks over the keys of each kind that may stand at a pointer.
  void walk_kinds(const std::string& world, const Json& document, const std::string& pointer,
                  const KeyWalk::Result& result = test::result_of_run) {
    KeyWalk one(schema_, test::hints(), result, test::with_defaults);
    INFO(world);
    CHECK_NOTHROW(one.walk_kinds(document, pointer));
    add(world, one);
  }
  const Found& found() const { return found_; }
  const Json& schema() const { return schema_; }
  std::size_t tried() const { return tried_; }

 private:
  void add(const std::string& world, const KeyWalk& walk) {
    tried_ += walk.tried();
    for (const auto& [key, came] : walk.found()) {
      Came& all = found_.emplace(std::pair(world, key), came).first->second;
      all = std::max(all, came);
    }
  }
  const Json schema_;
  Found found_;
  std::size_t tried_ = 0;
};

Json scenario_of(const std::string& kind) {
  const auto& entry = *AlgorithmFamily::catalogue().find(kind);
  return test::scenario_with(entry, test::traits_of_registered(entry));
}

Json patched(Json document, const Json& patch) {
  document.merge_patch(patch);
  return document;
}
Json patched(Json document, const char* patch) { return patched(std::move(document), Json::parse(patch)); }

/// Least squares with its optimum, by a method that most things go with.
Json plain(const char* patch) {
  return patched(patched(scenario_of("extra"), R"({"data": {"source": "gaussian_regression", "intercept": false},
    "problem": {"loss": {"kind": "squared"}}})"),
                 patch);
}

void walk_sections(Worlds& worlds) {
  // Messages are lost, sent again, and lost for good where they are not sent again often.
  constexpr const char* lossy = R"({"network": {"loss_probability": 0.1,
    "retransmit": {"timeout_ms": 20, "max_timeout_ms": 30, "retries": 3}}})";
  constexpr const char* repaired = R"({"network": {"loss_probability": 0.1, "retransmit": {"timeout_ms": 20}}})";
  const std::vector<std::string> sections{"/seed",    "/numerics", "/problem",       "/partition", "/network",
                                          "/compute", "/stop",     "/participation", "/record"};
  for (const char* kind : {"extra", "fed_avg", "ad_psgd", "fed_buff", "fd_primal_dual", "hyfdca"})
    worlds.walk(kind, patched(scenario_of(kind), std::string_view(kind) == "ad_psgd" ? repaired : lossy), sections);
  worlds.walk("numerics off", patched(patched(scenario_of("dgd"), lossy), R"({"numerics": "off"})"), sections);
  worlds.walk("diverging", plain(R"({"algorithm": {"kind": "dgd", "step": 9}})"), {"/stop"});
  worlds.walk("texts", plain("{}"), {"/lagnet", "/name", "/label", "/description", "/source", "/sweep"});
}

void walk_algorithms(Worlds& worlds) {
  for (const auto& entry : AlgorithmFamily::catalogue().entries())
    if (entry->kind != python_kind)
      worlds.walk("algorithm", test::scenario_with(*entry, test::traits_of_registered(*entry)), {"/algorithm"});
}

/// Patches of scenarios that have each kind of each choice, a graph of each kind, and a claim of each kind.
const Json& listed() {
  static const Json document = Json::parse(read_file(LAGNET_SOURCE_DIR "/tests/property/effects/worlds.json"));
  return document;
}

void walk_kinds(Worlds& worlds) {
  for (const Json& one : listed()["kinds"])
    worlds.walk(one["world"], patched(scenario_of(one["method"]), one["patch"]), {one["pointer"]});
  for (const Json& graph : listed()["graphs"]) {
    Json document = scenario_of("dgd");
    const Json ring{{"kind", "ring"}, {"agents", graph.value("agents", 8)}};
    document["topology"] = {{"kind", "sequence"}, {"graphs", {graph, ring}}};
    worlds.walk("graphs in turn", document, {"/topology"});
  }
  worlds.walk_kinds("topology", plain("{}"), "/topology");
  worlds.walk_kinds("directed", scenario_of("push_diging"), "/topology");
  for (const char* kind : {"extra", "fd_primal_dual", "hyfdca"})
    worlds.walk_kinds("partition", scenario_of(kind), "/partition");
  worlds.walk_kinds("data", plain("{}"), "/data");
  worlds.walk_kinds("losses", plain("{}"), "/problem/loss");
  worlds.walk_kinds("losses", scenario_of("extra"), "/problem/loss");
  worlds.walk_kinds("regularizers", plain("{}"), "/problem/regularizer");
  worlds.walk_kinds("latencies", plain("{}"), "/network/latency_ms");
  worlds.walk_kinds("latencies", plain("{}"), "/network/jitter_ms");
  worlds.walk_kinds("speeds", plain("{}"), "/compute/speed_flops_per_s");
  worlds.walk_kinds("clocks", scenario_of("ad_psgd"), "/compute/clock");
  worlds.walk_kinds("clients", scenario_of("fed_avg"), "/participation/clients");
  worlds.walk_kinds("clients", patched(scenario_of("fed_avg"), R"({"participation": {"deadline_ms": 100}})"),
                    "/participation/availability/0");
  worlds.walk_kinds("missing neighbors", patched(scenario_of("extra"), R"({"network": {"loss_probability": 0.2}})"),
                    "/participation/missing_neighbor");
  worlds.walk_kinds("metrics", plain(R"({"data": {"test_samples": 20}})"), "/record/metrics/0");
}

void walk_what_concerns_all_runs(Worlds& worlds) {
  worlds.walk("search", plain(R"({"stop": {"rounds": 12, "relative_error": 1e-9}, "tune": {"candidates": 3,
    "ranges": {"/algorithm/step": {"low": 0.01, "high": 0.1}}}})"),
              {"/tune"}, test::result_of_search);
  worlds.walk("search", plain(R"({"stop": {"rounds": 12}, "tune": {"candidates": 3, "choose": "gray",
    "ranges": {"/algorithm/step": {"low": 0.01, "high": 0.1}}}})"),
              {"/tune"}, test::result_of_search);
  Json presented = plain(R"({"sweep": {"/algorithm/kind": ["extra", "dgd"], "/network/header_bytes": [1, 5000],
    "/seed": [1, 2]}, "figure": [{"title": "a"}], "full": {"/stop/rounds": 9},
    "maps": [{"across": "/network/header_bytes", "down": "/seed", "curves": ["/algorithm/kind"], "to": 0.5}]})");
  worlds.walk("presentation", presented, {"/figure", "/maps", "/full"}, test::result_of_presentation);
  for (const Json& claim : listed()["claims"]) {
    presented["expect"] = Json::array({claim});
    worlds.walk("claims", presented, {"/expect"}, test::result_of_presentation);
  }
}

}  // namespace

TEST_CASE("every declared key has an effect, or is refused, or is named as one without") {
  Worlds worlds;
  walk_sections(worlds);
  walk_algorithms(worlds);
  walk_kinds(worlds);
  walk_what_concerns_all_runs(worlds);

  std::set<std::string> silent, unused, visited;
  for (const auto& one : test::without_effect) unused.insert(fmt::format("{}: {}", one.world, one.key));
  std::map<Came, std::set<std::string>> by_end;
  std::size_t named = 0;
  std::map<std::string, Came> best;
  for (const auto& [at, came] : worlds.found()) {
    const auto& [world, key] = at;
    visited.insert(key);
    Came& of_key = best.emplace(key, came).first->second;
    of_key = std::max(of_key, came);
    if (came != Came::nothing) continue;
    if (const auto* entry = test::named_without_effect(world, key)) {
      ++named;
      unused.erase(fmt::format("{}: {}", entry->world, entry->key));
    } else {
      silent.insert(world + ": " + key);
    }
  }
  std::set<std::string> not_tried;
  for (const std::string& key : test::declared_keys(worlds.schema())) {
    if (visited.contains(key)) continue;
    if (const auto* entry = test::named_without_effect("not tried", key))
      unused.erase(fmt::format("{}: {}", entry->world, entry->key));
    else
      not_tried.insert(key);
  }
  std::map<Came, std::size_t> counts;
  for (const auto& [key, came] : best) ++counts[came];
  fmt::print(
      "{} keys declared, {} in {} worlds and places tried {} times: {} have an effect, {} are refused, {} have "
      "none and are named; of all places {} are named\n",
      test::declared_keys(worlds.schema()).size(), best.size(), worlds.found().size(), worlds.tried(),
      counts[Came::effect], counts[Came::refused], counts[Came::nothing], named);
  CHECK(silent == std::set<std::string>{});
  CHECK(not_tried == std::set<std::string>{});
  CHECK(unused == std::set<std::string>{});
}

TEST_CASE("a declared key that nothing reads is found") {
  Json schema = schema_of<Scenario>();
  schema["properties"]["network"]["properties"]["planted"] = Json::parse(R"({"type": "number", "default": 1})");
  const auto result = [](Json document) {  // as if the key were read, and its value not used
    document["network"].erase("planted");
    return test::result_of_run(document);
  };
  KeyWalk walk(schema, test::hints(), result, [](Json document) {
    document = test::with_defaults(document);
    document["network"]["planted"] = 1;
    return document;
  });
  walk.walk(scenario_of("extra"), {"/network"});
  CHECK(test::declared_keys(schema).contains("network/planted"));
  CHECK(walk.found().at("network/planted") == Came::nothing);
  CHECK(walk.found().at("network/header_bytes") == Came::effect);
  CHECK_FALSE(test::named_without_effect("extra", "network/planted"));
}

}  // namespace lagnet::effects_test
