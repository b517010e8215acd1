#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenarios/assembly/catalogues/latency_matrix.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/format/kinds/distributions.hpp"
#include "scenarios/format/kinds/latency_kinds.hpp"
#include "scenarios/format/kinds/signal_kinds.hpp"

namespace lagnet {

namespace {

/// The site of each agent.
std::vector<std::size_t> places(const LatencyMatrixOptions& options, const LatencyMatrix& matrix, std::size_t agents,
                                CheckReport& report) {
  std::vector<std::size_t> sites(agents);
  if (!options.agents && !options.sites.empty()) {
    std::vector<std::string> missing;
    std::vector<std::size_t> places;
    for (const std::string& name : options.sites) {
      const auto found = matrix.place.find(name);
      if (found == matrix.place.end()) missing.push_back(name);
      places.push_back(found == matrix.place.end() ? 0 : found->second);
    }
    if (!missing.empty())
      report("path", "a line of each of network.sites, or latency_ms.agents with the places of agents",
             "none of " + comma_list(missing));
    for (std::size_t a = 0; a < agents; ++a) sites[a] = places[options.site_of[a]];
    return sites;
  }
  if (!options.agents) {
    for (std::size_t a = 0; a < agents; ++a) sites[a] = a % matrix.sites.size();
    return sites;
  }
  if (options.agents->size() != agents)
    report("agents", fmt::format("{} sites, one for each agent", agents), options.agents->size());
  for (std::size_t a = 0; a < options.agents->size(); ++a) {
    const std::string& name = (*options.agents)[a];
    const auto found = matrix.place.find(name);
    if (found == matrix.place.end())
      report(fmt::format("agents/{}", a), fmt::format("one of the sites {}", comma_list(matrix.sites)),
             fmt::format("\"{}\"{}", name, did_you_mean(name, matrix.sites)));
    else if (a < agents)
      sites[a] = found->second;
  }
  return sites;
}

/// Drawn for each direction of each link, by its ends: what a link gets does not depend on the others there are.
template <class Options>
LinkLatency make_latency(const Options& distribution, const Topology&, std::uint64_t seed, CheckReport&, Remarks&) {
  // The receiver takes the place of a round in the draw: a link does not change with time.
  return [=](AgentId from, AgentId to) { return draw(distribution, Draws(seed, Purpose{"latency"}, from, to)); };
}
/// Between places on Earth.
LinkLatency latency_on_earth(const LatencyDistanceOptions& options, const Topology& topology, CheckReport& report) {
  const std::vector<std::optional<Place>>& given = topology.notes().places;
  const LatencyDistanceOptions defaults;
  if (options.meters_per_unit != defaults.meters_per_unit)
    report("meters_per_unit", "no scale, since the nodes have places on Earth", options.meters_per_unit);
  std::vector<Place> places;
  bool good = true;
  for (AgentId agent = 0; agent < given.size(); ++agent) {
    if (!given[agent])
      report("kind", "Latitude and Longitude of every node, for latencies by distance; or one number for all links",
             fmt::format("none of node {}", topology.name_of(agent)));
    good = good && given[agent];
    places.push_back(given[agent].value_or(Place()));
  }
  if (!good) return {};
  return [options, places, usual = defaults.signal_m_per_s](AgentId from, AgentId to) {
    return options.base_ms + latency_of_distance_ms(places[from], places[to]) * (usual / options.signal_m_per_s);
  };
}

LinkLatency make_latency(const LatencyDistanceOptions& options, const Topology& topology, std::uint64_t,
                         CheckReport& report, Remarks&) {
  if (!topology.notes().places.empty()) return latency_on_earth(options, topology, report);
  const auto positions = topology.positions();
  if (positions.empty()) {
    report("kind", "a topology that gives its agents places, such as random_geometric, for latencies by distance",
           "one without places");
    return {};
  }
  return [options, places = std::vector<Point>(positions.begin(), positions.end())](AgentId from, AgentId to) {
    const double dx = places[from].x - places[to].x, dy = places[from].y - places[to].y;
    return options.base_ms + std::sqrt(dx * dx + dy * dy) * options.meters_per_unit / options.signal_m_per_s * 1e3;
  };
}

LinkLatency make_latency(const LatencyMatrixOptions& options, const Topology& topology, std::uint64_t,
                         CheckReport& report, Remarks& remarks) {
  const LatencyMatrix matrix = read_latency_matrix(options);
  if (matrix.round_trip && options.round_trip && matrix.round_trip != options.round_trip)
    report("round_trip",
           fmt::format("{}, since the first field of {} is {}", *matrix.round_trip, options.shown(),
                       printable(matrix.corner)),
           *options.round_trip);
  if (!matrix.round_trip) {
    const bool is_round_trip = matrix.is_round_trip(options.round_trip);
    remarks.push_back(
        {is_round_trip ? "latencies_read_as_round_trip" : "latencies_read_as_one_way",
         {},
         fmt::format(
             "{}: numbers were read as {} in ms{}; its first field, {}, does not say{}", options.shown(),
             is_round_trip ? "round-trip times" : "one-way latencies",
             options.round_trip ? ", as network.latency_ms.round_trip says" : "",
             matrix.corner.empty() ? "which is empty" : shown_token(matrix.corner),
             options.round_trip ? "" : ": round_trip_ms or one_way_ms does, or network.latency_ms.round_trip")});
  }
  const double part = matrix.is_round_trip(options.round_trip) ? 0.5 : 1;
  const auto sites = places(options, matrix, static_cast<std::size_t>(topology.agents()), report);
  return [=](AgentId from, AgentId to) { return part * matrix.at(sites[from], sites[to]); };
}

/// Their schedule is the network's.
LinkLatency latency_at_0(const auto& options, CheckReport& report) {
  const double value = make_signal(options, SignalRole::latency_ms, report).value;
  return [value](AgentId, AgentId) { return value; };
}
LinkLatency make_latency(const SignalScheduleOptions& options, const Topology&, std::uint64_t, CheckReport& report,
                         Remarks&) {
  return latency_at_0(options, report);
}
LinkLatency make_latency(const SignalTraceOptions& options, const Topology&, std::uint64_t, CheckReport& report,
                         Remarks&) {
  return latency_at_0(options, report);
}

template <class... Drawn>
LatencyFamily::Kinds latencies(KindList<Drawn...>) {
  return LatencyFamily::Kinds::of<Drawn..., LatencyDistanceOptions, LatencyMatrixOptions, SignalScheduleOptions,
                                  SignalTraceOptions>(
      [](const auto& options, const Topology& topology, std::uint64_t seed, CheckReport& report, Remarks& remarks) {
        return make_latency(options, topology, seed, report, remarks);
      });
}

}  // namespace

const LatencyFamily::Kinds& LatencyFamily::catalogue() {
  static const Kinds all = latencies(Distributions());
  return all;
}

}  // namespace lagnet
