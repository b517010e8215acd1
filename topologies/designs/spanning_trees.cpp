#include "topologies/designs/spanning_trees.hpp"

#include <fmt/format.h>

#include <boost/graph/prim_minimum_spanning_tree.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "topologies/designs/best_center.hpp"
#include "topologies/designs/ranked_graph.hpp"

namespace lagnet {

namespace {

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

}  // namespace

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

}  // namespace lagnet
