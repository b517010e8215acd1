#include "topologies/designs/designs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/graph/adjacency_matrix.hpp>
#include <boost/graph/metric_tsp_approx.hpp>
#include <boost/graph/prim_minimum_spanning_tree.hpp>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "topologies/generators/simple_edges.hpp"

namespace lagnet {

namespace {

/// The complete graph for Boost's algorithms. A link's weight is its place among all of them from the shortest on:
/// what is least by these places is least by the delays, and there is one such tree, whatever order an algorithm takes
/// links in.
using RankedGraph = boost::adjacency_matrix<boost::undirectedS, boost::no_property,
                                            boost::property<boost::edge_weight_t, std::int64_t>>;

RankedGraph ranked_graph(const Delays& delays) {
  RankedGraph graph(static_cast<std::size_t>(delays.agents()));
  std::int64_t rank = 0;
  for (const auto& [i, j] : delays.ascending_pairs()) boost::add_edge(i, j, ++rank, graph);
  return graph;
}

constexpr std::int64_t most_roots = 256;  // each takes O(m^2) or more

/// Grows a tree from one agent, with a degree of 2 at least. Each agent outside it knows the nearest one inside that
/// may still have a neighbor.
class BoundedPrim {
 public:
  BoundedPrim(const Delays& delays, std::int64_t degree, AgentId root)
      : delays_(delays),
        degree_(degree),
        inside_(static_cast<std::size_t>(delays.agents())),
        neighbors_(inside_.size()),
        nearest_(inside_.size(), root) {
    inside_[root] = true;
    while (std::ssize(edges_) + 1 < delays.agents()) add(next());
  }
  Topology tree() && { return Topology(delays_.agents(), std::move(edges_)); }

 private:
  using Reach = std::pair<double, std::pair<AgentId, AgentId>>;  // a link's delay and its ends, inside and outside
  Reach reach(AgentId inside, AgentId outside) const { return {delays_.between(inside, outside), {inside, outside}}; }
  AgentId agents() const { return static_cast<AgentId>(inside_.size()); }

  AgentId next() const {
    std::optional<Reach> best;
    for (AgentId agent = 0; agent < agents(); ++agent)
      if (!inside_[agent] && (!best || reach(nearest_[agent], agent) < *best)) best = reach(nearest_[agent], agent);
    return best->second.second;
  }

  void add(AgentId agent) {
    const AgentId from = nearest_[agent];
    edges_.push_back({from, agent});
    inside_[agent] = true;
    neighbors_[agent] = 1;
    const bool is_used_up = ++neighbors_[from] == degree_;
    for (AgentId other = 0; other < agents(); ++other) {
      if (inside_[other]) continue;
      if (is_used_up && nearest_[other] == from)
        nearest_[other] = nearest_to(other);
      else if (reach(agent, other) < reach(nearest_[other], other))
        nearest_[other] = agent;
    }
  }

  AgentId nearest_to(AgentId outside) const {
    std::optional<Reach> best;  // the ends of the tree have one neighbor and may have two
    for (AgentId agent = 0; agent < agents(); ++agent)
      if (inside_[agent] && neighbors_[agent] < degree_ && (!best || reach(agent, outside) < *best))
        best = reach(agent, outside);
    return best->second.first;
  }

  const Delays& delays_;
  std::int64_t degree_;
  std::vector<bool> inside_;
  std::vector<std::int64_t> neighbors_;
  std::vector<AgentId> nearest_;  // of those outside
  std::vector<Edge> edges_;
};

constexpr double rounding = 1e-12;  // of a total, relative: what is gained by less is not gained

constexpr std::size_t most_starts = 64;  // each takes O(m^2) or more

/// Agents as a walk around the minimum spanning tree comes to them, from one of them on.
std::vector<AgentId> first_tour(const RankedGraph& graph, std::size_t start) {
  std::vector<std::size_t> closed;  // ends where it began
  boost::metric_tsp_approx_from_vertex(graph, start, get(boost::edge_weight, graph), get(boost::vertex_index, graph),
                                       boost::make_tsp_tour_visitor(std::back_inserter(closed)));
  std::vector<AgentId> tour;
  for (std::size_t k = 0; k + 1 < closed.size(); ++k) tour.push_back(static_cast<AgentId>(closed[k]));
  return tour;
}

/// Link k of a tour leads from its k-th agent to the next one.
class TwoOpt {
 public:
  TwoOpt(const Delays& delays, std::vector<AgentId> tour) : delays_(delays), tour_(std::move(tour)) {
    measure();
    most_ = total_;
  }

  /// Exchanges links until no exchange helps. Each one makes (longest link, total) less, so that it ends.
  void run() {
    for (bool has_improved = true; has_improved;) {
      has_improved = false;
      for (std::size_t first = 0; first + 2 < tour_.size(); ++first)
        for (std::size_t second = first + 2; second < tour_.size(); ++second)
          if (try_exchange(first, second)) has_improved = true;
    }
  }
  LinkLengths lengths() const { return {longest_[0].first, total_}; }
  std::vector<AgentId> tour() && { return std::move(tour_); }

 private:
  double between(std::size_t a, std::size_t b) const { return delays_.between(tour_[a], tour_[b % tour_.size()]); }
  double length(std::size_t link) const { return between(link, link + 1); }

  void measure() {
    total_ = 0;
    std::vector<std::pair<double, std::size_t>> links;
    for (std::size_t k = 0; k < tour_.size(); ++k) {
      links.emplace_back(length(k), k);
      total_ += length(k);
    }
    const auto count = std::min(longest_.size(), links.size());
    std::ranges::partial_sort(links, links.begin() + static_cast<std::ptrdiff_t>(count), std::ranges::greater());
    std::copy_n(links.begin(), count, longest_.begin());
  }

  /// The longest link but for these two: one of the three longest.
  double longest_without(std::size_t first, std::size_t second) const {
    for (const auto& [delay, link] : longest_)
      if (link != first && link != second) return delay;
    return 0;
  }

  bool try_exchange(std::size_t first, std::size_t second) {
    if (first == 0 && second + 1 == tour_.size()) return false;  // they share an agent
    const double one = between(first, second), other = between(first + 1, second + 1);
    const double longest = std::max({longest_without(first, second), one, other});
    const double total = total_ + one + other - length(first) - length(second);
    const double slack = rounding * most_;
    const bool is_better = longest < longest_[0].first || (longest == longest_[0].first && total < total_ - slack);
    if (!is_better || total > most_ + slack) return false;
    const auto begin = tour_.begin();
    std::reverse(begin + static_cast<std::ptrdiff_t>(first) + 1, begin + static_cast<std::ptrdiff_t>(second) + 1);
    measure();
    return true;
  }

  const Delays& delays_;
  std::vector<AgentId> tour_;
  double total_ = 0, most_ = 0;
  std::array<std::pair<double, std::size_t>, 3> longest_{};  // with their places, descending
};

}  // namespace

AgentId best_center(const Delays& delays) {
  AgentId best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (AgentId center = 0; center < delays.agents(); ++center) {
    double farthest = 0;
    for (AgentId other = 0; other < delays.agents(); ++other)
      farthest = std::max(farthest, delays.between(center, other));
    if (farthest >= least) continue;
    least = farthest;
    best = center;
  }
  return best;
}

Topology minimum_spanning_tree(const Delays& delays) {
  const RankedGraph graph = ranked_graph(delays);
  std::vector<std::size_t> parent(static_cast<std::size_t>(delays.agents()));
  boost::prim_minimum_spanning_tree(graph, parent.data());
  std::vector<Edge> edges;
  for (std::size_t agent = 0; agent < parent.size(); ++agent)
    if (parent[agent] != agent) edges.push_back({static_cast<AgentId>(parent[agent]), static_cast<AgentId>(agent)});
  return Topology(delays.agents(), std::move(edges));
}

Topology bounded_degree_tree(const Delays& delays, std::int64_t degree) {
  const std::int64_t least = delays.agents() > 2 ? 2 : 1;
  if (degree < least)
    throw Diagnosed({Diagnostic{"degree", fmt::format("at least {}", least), fmt::format("{}", degree)}});
  Topology free = minimum_spanning_tree(delays);
  if (free.max_degree() <= degree) return free;
  const auto grown = [&](AgentId root) { return BoundedPrim(delays, degree, root).tree(); };
  if (delays.agents() > most_roots) return grown(best_center(delays));
  Topology best = grown(0);
  for (AgentId root = 1; root < delays.agents(); ++root)
    if (Topology other = grown(root); link_lengths(delays, other) < link_lengths(delays, best)) best = std::move(other);
  return best;
}

std::vector<AgentId> short_tour(const Delays& delays) {
  const RankedGraph graph = ranked_graph(delays);
  std::vector<AgentId> best;
  LinkLengths least;
  for (std::size_t start = 0; start < std::min(boost::num_vertices(graph), most_starts); ++start) {
    TwoOpt improved(delays, first_tour(graph, start));
    improved.run();
    if (!best.empty() && !(improved.lengths() < least)) continue;
    least = improved.lengths();
    best = std::move(improved).tour();
  }
  std::ranges::rotate(best, std::ranges::find(best, AgentId{0}));
  return best;
}

Topology short_ring(const Delays& delays) {
  const std::vector<AgentId> tour = short_tour(delays);
  std::vector<Edge> edges;
  for (std::size_t k = 0; k < tour.size(); ++k) edges.push_back({tour[k], tour[(k + 1) % tour.size()]});
  return Topology(delays.agents(), simple_edges(std::move(edges)));
}

}  // namespace lagnet
