#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenarios/assembly/catalogues/latency_matrix.hpp"
#include "scenarios/format/kinds/distributions.hpp"
#include "scenarios/format/kinds/latency_kinds.hpp"

namespace lagnet {

namespace {

/// The site of each agent.
std::vector<std::size_t> places(const LatencyMatrixOptions& options, const LatencyMatrix& matrix, std::size_t agents,
                                CheckReport& report) {
  std::vector<std::size_t> sites(agents);
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
LinkLatency make_latency(const Options& distribution, const Topology&, std::uint64_t seed, CheckReport&) {
  // The receiver stands where a round would: what a link is does not change with time.
  return [=](AgentId from, AgentId to) { return draw(distribution, Draws(seed, Purpose{"latency"}, from, to)); };
}
LinkLatency make_latency(const LatencyDistanceOptions& options, const Topology& topology, std::uint64_t,
                         CheckReport& report) {
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
                         CheckReport& report) {
  const LatencyMatrix matrix = read_latency_matrix(options.path);
  const double part = options.round_trip ? 0.5 : 1;
  const auto sites = places(options, matrix, static_cast<std::size_t>(topology.agents()), report);
  return [=](AgentId from, AgentId to) { return part * matrix.at(sites[from], sites[to]); };
}

template <class... Drawn>
LatencyFamily::Kinds latencies(KindList<Drawn...>) {
  return LatencyFamily::Kinds::of<Drawn..., LatencyDistanceOptions, LatencyMatrixOptions>(
      [](const auto& options, const Topology& topology, std::uint64_t seed, CheckReport& report) {
        return make_latency(options, topology, seed, report);
      });
}

}  // namespace

const LatencyFamily::Kinds& LatencyFamily::catalogue() {
  static const Kinds all = latencies(Distributions());
  return all;
}

}  // namespace lagnet
