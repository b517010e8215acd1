#include "topologies/designs/short_ring.hpp"

#include <algorithm>
#include <array>
#include <boost/graph/metric_tsp_approx.hpp>
#include <iterator>
#include <utility>

#include "topologies/designs/ranked_graph.hpp"
#include "topologies/generators/simple_edges.hpp"

namespace lagnet {

namespace {

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
