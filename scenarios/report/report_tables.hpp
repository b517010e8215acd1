#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "scenarios/results/recorded_runs.hpp"

namespace lagnet {

/// {"rows": 3, "columns": {"round": [0, 5, 10], "lost": 0}}: some rows of a table with numbers of `digits` significant
/// digits, integers exact, null for other cells; a column with equal values has only one. Columns that the table lacks
/// are left out.
Json report_table(const ProgressTable& table, const std::vector<std::size_t>& rows,
                  const std::vector<std::string_view>& columns, int digits);

/// The number of columns whose values in these rows are not all the same: only these take space.
std::size_t varying_columns(const ProgressTable& table);

/// The loads of agents and links of a run, and where to draw them: the keys "agent_count", "agents", "links", "layout"
/// and, where one of these is null, "why_no_links" and "why_no_layout"; "sites" of a run with several, as site_loads()
/// says. `cells` bounds the numbers taken from both tables. `layouts` holds the places of the graphs, "layout" is one's
/// number; a graph drawn before is not added.
class RunLoads {
 public:
  explicit RunLoads(std::size_t cells) : cells_(cells) {}
  /// Adds the keys to `entry`. Throws OutputError where agents.csv or links.csv cannot be read.
  void add(const RecordedRun& run, Json& entry);
  /// [{"x": [..], "y": [..]}, ..]
  const Json& layouts() const { return layouts_; }

 private:
  Json layout_of(const RecordedRun& run, std::int64_t agents, const ProgressTable& links);

  std::size_t cells_;
  std::vector<std::vector<double>> drawn_;  // endpoints of the graphs with places
  Json layouts_ = Json::array();
};

}  // namespace lagnet
