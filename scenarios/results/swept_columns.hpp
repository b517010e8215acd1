#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/json/diagnostics.hpp"

/// The values of a sweep's points as columns of a table: short names, and a number or a text in every cell.
namespace lagnet {

/// The values of one point, by their pointers.
using PointValues = std::vector<std::pair<std::string, Json>>;

struct SweptColumn {
  std::string name;  // "agents"; "topology" for its kind; "topology_agents" where another one is called so
  std::vector<std::string> cells;  // of each point; "" where it has nothing there
};

/// The columns for some points. Objects and lists are taken apart: each has its kind, and the members in which the
/// points differ. `taken`: names that other columns have.
std::vector<SweptColumn> swept_columns(const std::vector<PointValues>& points, const std::vector<std::string>& taken);

/// The keys that the sweep of a scenario sets, each once.
std::vector<std::string> pointers_of_sweep(const Json& scenario);

}  // namespace lagnet
