#include "topologies/cycle_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/howard_cycle_ratio.hpp>
#include <boost/graph/strong_components.hpp>
#include <cmath>
#include <utility>

namespace lagnet {

namespace {

using ArcPlace = boost::property<boost::edge_index_t, std::size_t>;
using Weights = boost::property<boost::edge_weight_t, double, boost::property<boost::edge_weight2_t, double, ArcPlace>>;
using EventGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Weights>;

/// Howard's algorithm goes on while a distance gains more than this. Boost's own 0.005 is for weights far above 1, and
/// these are about 1.
struct SmallGain : boost::mcr_float<> {
  static double epsilon() { return -1e-12; }
};

void check_arcs(std::size_t events, std::span<const TimedArc> arcs) {
  std::vector<Diagnostic> problems;
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    const TimedArc& arc = arcs[k];
    const std::string where = fmt::format("arc {}", k);
    for (const std::size_t end : {arc.from, arc.to})
      if (end >= events) problems.push_back({where, fmt::format("events below {}", events), fmt::format("{}", end)});
    if (!(std::isfinite(arc.seconds) && arc.seconds >= 0))
      problems.push_back({where, "finite seconds at least 0", fmt::format("{}", arc.seconds)});
    if (arc.rounds < 0) problems.push_back({where, "at least 0 rounds", fmt::format("{}", arc.rounds)});
  }
  if (!problems.empty()) throw Diagnosed(std::move(problems));
}

/// Within a round an arc that stays in a strongly connected component of the arcs of that round is part of a cycle.
void check_rounds(std::size_t events, std::span<const TimedArc> arcs) {
  EventGraph graph(events);
  for (const TimedArc& arc : arcs)
    if (arc.rounds == 0) boost::add_edge(arc.from, arc.to, graph);
  std::vector<std::size_t> component(events);
  boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, std::as_const(graph))));
  std::vector<std::size_t> waiting;
  for (const TimedArc& arc : arcs)
    if (arc.rounds == 0 && component[arc.from] == component[arc.to]) waiting.insert(waiting.end(), {arc.from, arc.to});
  if (waiting.empty()) return;
  std::ranges::sort(waiting);
  waiting.erase(std::unique(waiting.begin(), waiting.end()), waiting.end());
  throw Diagnosed({{"arcs", "a round on every cycle",
                    fmt::format("events that wait for each other within one: {}", fmt::join(waiting, " "))}});
}

/// A cycle of the largest ratio. A second more for every round makes each ratio a second longer and none of them 0,
/// which Boost takes for no cycle.
std::vector<std::size_t> critical_cycle(std::size_t events, std::span<const TimedArc> arcs) {
  double longest = 0;
  for (const TimedArc& arc : arcs) longest = std::max(longest, arc.seconds);
  const double scale = longest > 0 ? 1 / longest : 1;
  EventGraph graph(events);
  for (std::size_t k = 0; k < arcs.size(); ++k)
    boost::add_edge(arcs[k].from, arcs[k].to,
                    Weights(scale * arcs[k].seconds + arcs[k].rounds, {static_cast<double>(arcs[k].rounds), k}), graph);
  std::vector<EventGraph::edge_descriptor> found;
  boost::maximum_cycle_ratio(graph, get(boost::vertex_index, std::as_const(graph)),
                             get(boost::edge_weight, std::as_const(graph)),
                             get(boost::edge_weight2, std::as_const(graph)), &found, SmallGain());
  std::vector<std::size_t> cycle;
  for (const auto& arc : found) cycle.push_back(get(boost::edge_index, graph, arc));
  return cycle;
}

}  // namespace

CycleTime cycle_time(std::size_t events, std::span<const TimedArc> arcs) {
  check_arcs(events, arcs);
  check_rounds(events, arcs);
  CycleTime found{.seconds = 0, .cycle = critical_cycle(events, arcs)};
  double rounds = 0;
  for (const std::size_t k : found.cycle) {
    found.seconds += arcs[k].seconds;
    rounds += arcs[k].rounds;
  }
  if (!found.cycle.empty()) found.seconds /= rounds;
  return found;
}

}  // namespace lagnet
