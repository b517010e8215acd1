#pragma once

#include <string>

#include "checkout_paths.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet {

/// Ten peers with one exchange a round, one in each of the regions, timing only.
inline ScenarioFile regional_peers(const std::string& changes = "{}") {
  ScenarioFile file = small_scenario(R"({
    "numerics": "off",
    "problem": {"regularizer": {"kind": "l2", "weight": 0.01}},
    "topology": {"kind": "ring", "agents": 10},
    "network": {"latency_ms": {"kind": "matrix", "path": "regions.csv", "round_trip": true}},
    "compute": {"speed_flops_per_s": 1e7},
    "algorithm": {"kind": "dgd", "step": 0.1},
    "record": null
  })",
                                     std::string(LAGNET_SOURCE_DIR) + "/scenarios/data/latency");
  file.document.merge_patch(Json::parse(changes));
  return file;
}

}  // namespace lagnet
