#pragma once

#include <map>
#include <string>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/format/kinds/algorithm_kinds.hpp"
#include "scenarios/format/scenario.hpp"

/// A small scenario for each registered algorithm, for properties that hold for all of them.
namespace lagnet::test {

/// What they have in common: every link and every speed differs.
inline constexpr const char* base_of_scenarios = R"({
  "lagnet": 1, "seed": 7,
  "data": {"source": "gaussian_classification", "samples": 60, "features": 11, "intercept": true},
  "problem": {"loss": {"kind": "logistic"}, "regularizer": {"kind": "l2", "weight": 0.01}},
  "network": {"latency_ms": {"kind": "uniform", "low": 1, "high": 9}, "jitter_ms": 0.5, "bandwidth_bytes_per_s": 1e5,
              "header_bytes": 60},
  "compute": {"speed_flops_per_s": {"kind": "lognormal", "median": 1e6, "sigma": 0.5},
              "memory_bandwidth_bytes_per_s": 1e7, "straggler": {"probability": 0.2, "factor": 5}},
  "stop": {"rounds": 25}, "record": {"every": 3}
})";

/// An algorithm with something for each key that must be given, with minibatches and a compressor where it knows them,
/// and with a probability p, which needs numbers otherwise.
inline Json algorithm_of(const KindOfOptions& kind) {
  Json algorithm{{"kind", kind.kind}};
  for (const FieldText& field : kind.describe()) {
    const bool is_part = field.key.find_first_of("[.") != std::string::npos;  // of a list's entries, or of an object
    if (field.required && !is_part)
      algorithm[field.key] = field.type == "number" ? Json(0.1) : field.type == "string" ? Json("x") : Json(1);
    if (field.key == "p") algorithm[field.key] = 0.3;
    if (field.key == "batch") algorithm[field.key] = 4;
    if (field.key == "compressor")  // all of vectors take the first, all of matrices the second
      algorithm[field.key] =
          kind.kind == "fednl" ? Json{{"kind", "rank_r"}} : Json{{"kind", "rounding"}, {"format", "float16"}};
    if (field.key == "mu" && kind.kind == "dane") algorithm[field.key] = 1;  // agents are too unlike for 0
    if (field.key == "local_steps") algorithm[field.key] = 3;
    if (field.key == "stages")
      algorithm[field.key] = Json::parse(R"([{"lambda": 0.04, "rounds": 7, "local_steps": 2},
                                             {"lambda": 0.02, "rounds": 1}, {"lambda": 0.01, "rounds": 40}])");
  }
  return algorithm;
}

/// Its traits with these options.
inline AlgorithmTraits traits_of_registered(const KindOfOptions& kind) {
  Choice<AlgorithmFamily> choice;
  Diagnostics diagnostics("");
  choice.read(algorithm_of(kind), "", diagnostics);
  diagnostics.throw_if_any();
  return choice.make().traits;
}

inline bool is_accepted(const Json& document) {
  try {
    ExperimentCache cache;
    assemble(read_scenario({"small.json", "/nowhere", document}), "small.json", cache);
    return true;
  } catch (const Diagnosed&) {
    return false;
  }
}

/// The first of these scenarios that the method accepts: nine agents around a server, eight peers on a ring, or on
/// random links of one direction if these may be, or on a path, or one agent; and a problem that it solves.
inline Json scenario_with(const KindOfOptions& kind, const AlgorithmTraits& traits) {
  Json document = Json::parse(base_of_scenarios);
  document["algorithm"] = algorithm_of(kind);
  if (traits.timing_needs_squared) document["problem"]["loss"] = {{"kind", "squared"}};
  if (traits.partition_by == PartitionBy::cells) document["partition"] = {{"kind", "blocks"}, {"feature_groups", 2}};
  document["topology"] = traits.server ? Json{{"kind", "star"}, {"agents", 9}} : Json{{"kind", "ring"}, {"agents", 8}};
  if (traits.two_levels) document["topology"] = {{"kind", "two_level_tree"}, {"clients", {3, 2, 3}}};
  if (traits.takes_directed) document["topology"] = {{"kind", "random_out"}, {"agents", 8}, {"degree", 2}};
  if (!traits.has_rounds()) {
    document["stop"] = {{"updates", 200}};
    document["record"] = {{"every_updates", 24}};
  }
  static std::map<std::string, Json> accepted;  // by method, since each try takes a moment
  const auto known = accepted.find(std::string(kind.kind));
  if (known != accepted.end()) return known->second;
  for (const char* agents :
       {"{}", R"({"topology": {"kind": "path"}})", R"({"topology": {"kind": "complete", "agents": 1}})"})
    for (const char* problem :
         {"{}", R"({"problem": {"regularizer": {"kind": "l1"}}})",
          R"({"problem": {"regularizer": {"kind": "none", "weight": null}}})",
          R"({"problem": {"loss": {"kind": "squared"}}})", R"({"problem": {"agent_weights": "even"}})"}) {
      Json tried = document;
      tried.merge_patch(Json::parse(agents));
      tried.merge_patch(Json::parse(problem));
      if (is_accepted(tried)) return accepted[std::string(kind.kind)] = tried;
    }
  return accepted[std::string(kind.kind)] = document;
}

/// True if the method runs on one agent alone, which sends nothing.
inline bool is_of_one_agent(const Json& scenario) { return scenario["topology"].value("agents", 0) == 1; }

}  // namespace lagnet::test
