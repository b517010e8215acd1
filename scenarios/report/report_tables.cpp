#include "scenarios/report/report_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/report/site_loads.hpp"
#include "topologies/layout.hpp"

namespace lagnet {

namespace {

constexpr std::int64_t drawn_agents_max = 5000;
constexpr std::size_t drawn_sites_max = 100;
constexpr int load_digits = 5;

// Those that matter most first: where there is no room for all, the last are left out.
constexpr std::array<std::string_view, 16> agent_table_columns{
    "bytes_sent", "computing_s",     "messages_sent", "idle_s", "compute_utilization", "lost",
    "late",       "dropped",         "away_s",        "flops",  "encrypting_s",        "queueing_s",
    "transfer_s", "bytes_delivered", "degree",        "samples"};
constexpr std::array<std::string_view, 8> link_table_columns{"from", "to",         "bytes_sent", "messages_sent",
                                                             "lost", "queueing_s", "transfer_s", "utilization"};

bool is_same_throughout(const std::vector<double>& values) {
  return std::ranges::all_of(
      values, [&](double x) { return x == values.front() || (std::isnan(x) && std::isnan(values.front())); });
}

Json shortened(double x, int digits) {
  constexpr double exact = 1e15;
  if (!std::isfinite(x)) return nullptr;
  if (x == std::floor(x) && std::abs(x) < exact) return static_cast<std::int64_t>(x);
  return std::strtod(fmt::format("{:.{}g}", x, digits).c_str(), nullptr);  // stod throws for 1e-310
}

std::vector<std::size_t> all_rows(const ProgressTable& table) {
  std::vector<std::size_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

/// As many of the columns as `cells` has room for, from the first on.
template <std::size_t count>
std::vector<std::string_view> columns_that_fit(const ProgressTable& table,
                                               const std::array<std::string_view, count>& wanted, std::size_t cells) {
  std::vector<std::string_view> fitting;
  std::size_t used = 0;
  for (const std::string_view name : wanted) {
    const auto* values = table.find(name);
    if (values == nullptr || values->empty()) continue;
    const std::size_t cost = is_same_throughout(*values) ? 1 : values->size();
    if (used + cost > cells) continue;
    used += cost;
    fitting.push_back(name);
  }
  return fitting;
}

/// A lattice is drawn as the grid that it is; other graphs as they lie in their scenario or by what links them.
std::vector<Point> places_of(const RecordedRun& run, std::int64_t agents, const std::vector<Edge>& edges) {
  const Document scenario(run.scenario);
  if (scenario.text("/topology/kind") == "lattice") {
    const std::int64_t side = std::llround(std::sqrt(static_cast<double>(agents)));
    const auto length = [&](const char* pointer) {
      const Json& given = scenario.at(pointer);
      return given.is_number_integer() ? given.get<std::int64_t>() : side;
    };
    const std::int64_t rows = length("/topology/rows"), columns = length("/topology/columns");
    const bool hub_at_center = scenario.at("/topology/hub_at_center") != false;
    if (rows * columns == agents && rows > 1 && columns > 1)
      return grid_layout(rows, columns, hub_at_center ? rows / 2 * columns + columns / 2 : 0);
  }
  try {
    const ScenarioFile file = scenario_file(run);
    const Topology made = make_topology(read_scenario(file), file.shown);
    if (made.agents() == agents && !made.positions().empty()) return layout(made);
  } catch (const Diagnosed&) {
    // A file that the graph was read from may be gone; the links are enough to draw it.
  }
  return layout(Topology(agents, edges));
}

}  // namespace

Json report_table(const ProgressTable& table, const std::vector<std::size_t>& rows,
                  const std::vector<std::string_view>& columns, int digits) {
  Json written = Json::object();
  for (const std::string_view name : columns) {
    const auto* values = table.find(name);
    if (values == nullptr) continue;
    Json& column = written[std::string(name)];
    if (!values->empty() && is_same_throughout(*values)) {
      column = shortened(values->front(), digits);
      continue;
    }
    column = Json::array();
    for (const std::size_t row : rows) column.push_back(shortened((*values)[row], digits));
  }
  return {{"rows", rows.size()}, {"columns", std::move(written)}};
}

std::size_t varying_columns(const ProgressTable& table) {
  return static_cast<std::size_t>(
      std::ranges::count_if(table.values, [](const auto& values) { return !is_same_throughout(values); }));
}

Json RunLoads::layout_of(const RecordedRun& run, std::int64_t agents, const ProgressTable& links) {
  const auto &from = *links.find("from"), &to = *links.find("to");
  std::vector<double> endpoints{static_cast<double>(agents)};
  std::vector<Edge> edges;
  for (std::size_t k = 0; k < from.size(); ++k) {
    endpoints.push_back(from[k]);
    endpoints.push_back(to[k]);
    edges.push_back(
        {static_cast<AgentId>(std::min(from[k], to[k])), static_cast<AgentId>(std::max(from[k], to[k])), 1});
  }
  const auto known = std::ranges::find(drawn_, endpoints);
  if (known != drawn_.end()) return known - drawn_.begin();
  const auto ends = [](const Edge& edge) { return std::pair(edge.from, edge.to); };
  std::ranges::sort(edges, {}, ends);
  const auto repeated = std::ranges::unique(edges, {}, ends);
  edges.erase(repeated.begin(), repeated.end());
  Json x = Json::array(), y = Json::array();
  for (const Point& place : places_of(run, agents, edges)) {
    x.push_back(shortened(place.x, 4));
    y.push_back(shortened(1 - place.y, 4));  // screens count from the top
  }
  drawn_.push_back(std::move(endpoints));
  layouts_.push_back({{"x", std::move(x)}, {"y", std::move(y)}});
  return drawn_.size() - 1;
}

void RunLoads::add(const RecordedRun& run, Json& entry) {
  if (run.is_under_way()) {
    entry["agent_count"] = entry["agents"] = entry["links"] = entry["layout"] = nullptr;
    entry["why_no_layout"] = entry["why_no_links"] = "The run is under way; loads are told at its end.";
    return;
  }
  const auto count = run.summary.at("topology").at("agents").get<std::int64_t>();
  entry["agent_count"] = count;
  const auto sites = sites_of_run(run, count);
  if (const Json& topology = run.summary["topology"]; topology.contains("nodes")) {
    entry["agent_names"] = topology["nodes"];
  } else if (sites) {
    entry["agent_names"] = Json::array();
    for (std::int64_t agent = 0; agent < count; ++agent) entry["agent_names"].push_back(sites->name_of(agent));
  }
  entry["agents"] = entry["links"] = entry["layout"] = nullptr;
  if (count > drawn_agents_max) {
    const std::string why = fmt::format("{} agents are more than can be drawn, {}.", count, drawn_agents_max);
    entry["why_no_layout"] = entry["why_no_links"] = why;
    return;
  }
  const ProgressTable agents = read_progress(run.folder / "agents.csv"),
                      links = read_progress(run.folder / "links.csv");
  if (sites && sites->names.size() > 1 && sites->names.size() <= drawn_sites_max)
    entry["sites"] = site_loads(*sites, agents, links);
  const auto agent_names = columns_that_fit(agents, agent_table_columns, std::max(cells_ / 3, agents.rows()));
  entry["agents"] = report_table(agents, all_rows(agents), agent_names, load_digits);
  if (links.find("from") == nullptr || links.find("to") == nullptr || links.rows() == 0) {
    entry["why_no_layout"] = entry["why_no_links"] = "There are no links.";
    return;
  }
  entry["layout"] = layout_of(run, count, links);
  const auto link_names = columns_that_fit(links, link_table_columns, cells_ - cells_ / 3);
  if (link_names.size() < 3) {
    entry["why_no_links"] =
        fmt::format("{} links are too many for this page; a report of fewer runs has room for them.", links.rows());
    return;
  }
  entry["links"] = report_table(links, all_rows(links), link_names, load_digits);
}

}  // namespace lagnet
