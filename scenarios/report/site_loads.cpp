#include "scenarios/report/site_loads.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "scenarios/assembly/catalogues/latency_matrix.hpp"
#include "scenarios/assembly/make_underlay.hpp"
#include "scenarios/json/diagnostics.hpp"
#include "scenarios/json/document.hpp"

namespace lagnet {

namespace {

constexpr const char* summed_columns[] = {"bytes_sent", "price", "joules", "grams"};

/// Of each pair of the sites the latency one way; empty where the matrix does not name all of them.
std::vector<std::vector<double>> latencies_between(const std::vector<std::string>& sites,
                                                   const LatencyMatrixOptions& options) {
  const LatencyMatrix matrix = read_latency_matrix(options);
  const double part = matrix.is_round_trip(options.round_trip) ? 0.5 : 1;
  std::vector<std::vector<double>> rows;
  for (const std::string& from : sites) {
    rows.emplace_back();
    for (const std::string& to : sites) {
      if (!matrix.place.contains(from) || !matrix.place.contains(to)) return {};
      rows.back().push_back(part * matrix.at(matrix.place.at(from), matrix.place.at(to)));
    }
  }
  return rows;
}

/// The places of the sites' nodes; empty unless all have one.
std::vector<Place> places_of(const std::vector<std::string>& sites, const NetworkOptions& options) {
  std::vector<Place> places;
  if (!options.underlay) return places;
  const auto of_nodes = places_of_nodes(*options.underlay);
  for (const std::string& name : sites) {
    const auto site = std::ranges::find(options.sites, name, &SiteOptions::name);
    if (site == options.sites.end() || !site->node || !of_nodes.contains(*site->node)) return {};
    places.push_back(of_nodes.at(*site->node));
  }
  return places;
}

}  // namespace

std::optional<RunSites> sites_of_run(const RecordedRun& run, std::int64_t agents) {
  const Document document(run.scenario);
  if (document.text("/network/latency_ms/kind") != LatencyMatrixOptions::kind && document.at("/network/sites").empty())
    return std::nullopt;
  try {
    const Scenario scenario = read_scenario(scenario_file(run));
    RunSites made;
    for (const std::string& name : sites_of_agents(scenario.network, agents)) {
      const auto known = std::ranges::find(made.names, name);
      made.of_agents.push_back(static_cast<std::size_t>(known - made.names.begin()));
      if (known == made.names.end()) made.names.push_back(name);
    }
    if (made.names.empty()) return std::nullopt;
    if (const auto* options = scenario.network.latency_ms.options_as<LatencyMatrixOptions>())
      made.ms = latencies_between(made.names, *options);
    made.places = places_of(made.names, scenario.network);
    if (scenario.algorithm.make().traits.server) made.server = made.of_agents.front();
    return made;
  } catch (const Diagnosed&) {
    return std::nullopt;  // a file that it names may be gone
  }
}

Json site_loads(const RunSites& sites, const ProgressTable& agents, const ProgressTable& links) {
  const std::size_t count = sites.names.size();
  std::vector<std::int64_t> of_each(count);
  for (const std::size_t site : sites.of_agents) ++of_each[site];
  Json made{{"names", sites.names},
            {"agents", of_each},
            {"server", sites.server ? Json(*sites.server) : Json(nullptr)},
            {"ms", sites.ms.empty() ? Json(nullptr) : Json(sites.ms)}};
  made["places"] = nullptr;
  for (const Place& place : sites.places) made["places"].push_back({place.latitude, place.longitude});
  for (const char* column : summed_columns) {
    const auto* values = agents.find(column);
    if (values == nullptr || std::ranges::all_of(*values, [](double x) { return std::isnan(x); })) continue;
    std::vector<double> sums(count);
    for (std::size_t agent = 0; agent < values->size(); ++agent)
      if (!std::isnan((*values)[agent])) sums[sites.of_agents[agent]] += (*values)[agent];
    made[column] = sums;
  }
  const auto *from = links.find("from"), *to = links.find("to"), *bytes = links.find("bytes_sent"),
             *latency = links.find("latency_s");
  std::map<std::pair<std::size_t, std::size_t>, std::pair<double, double>> between;  // bytes, latency in ms
  for (std::size_t k = 0; from && to && bytes && latency && k < from->size(); ++k) {
    const auto site = [&](double agent) { return sites.of_agents[static_cast<std::size_t>(agent)]; };
    const std::pair ends(site((*from)[k]), site((*to)[k]));
    if (ends.first == ends.second) continue;
    auto& [sum, ms] = between.try_emplace(ends, 0.0, INFINITY).first->second;
    sum += (*bytes)[k];
    ms = std::fmin(ms, 1e3 * (*latency)[k]);
  }
  made["links"] = Json::array();
  for (const auto& [ends, load] : between) {
    const double ms = std::round(1e6 * load.second) / 1e6;  // to the nanosecond
    made["links"].push_back({ends.first, ends.second, load.first, std::isfinite(ms) ? Json(ms) : Json(nullptr)});
  }
  return made;
}

}  // namespace lagnet
