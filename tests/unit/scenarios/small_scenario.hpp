#pragma once

#include <string>

#include "scenarios/format/scenario.hpp"
#include "scenarios/json/json_file.hpp"

namespace lagnet {

/// A scenario that runs in a millisecond, with members merged in: an object's members one by one, null removes.
inline ScenarioFile small_scenario(const std::string& changes = "{}",
                                   const std::filesystem::path& folder = "/nowhere") {
  Json document = Json::parse(R"({
    "lagnet": 1, "name": "small",
    "data": {"source": "gaussian_regression", "samples": 20, "features": 7},
    "problem": {"loss": {"kind": "squared"}, "regularizer": {"kind": "l1", "weight": 0.01}},
    "topology": {"kind": "ring", "agents": 5},
    "network": {"latency_ms": 2},
    "algorithm": {"kind": "fd_primal_dual"},
    "stop": {"rounds": 12}, "record": {"every": 4}
  })");
  document.merge_patch(Json::parse(changes));
  return {"small.json", folder, document};
}

/// The text of the problems for which `action` throws Diagnosed; "" if it does not.
template <class Action>
std::string scenario_problems(Action action) {
  try {
    action();
  } catch (const Diagnosed& error) {
    return error.what();
  }
  return "";
}

}  // namespace lagnet
