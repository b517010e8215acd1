#pragma once

#include <algorithm>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// G(n,p) of Gilbert, "Random graphs" (1959): each of the n(n-1)/2 possible edges exists with probability p,
/// independently. One draw per possible edge (i,j), i < j, ascending; so the same seed with a larger p keeps every edge
/// and adds some. With more agents than most_one_by_one, one draw per possible edge would take long (and from 2^33 on
/// repeat a sequence of draws), so only the existing edges are drawn: Batagelj, Brandes, "Efficient generation of large
/// random networks" (2005).
struct ErdosRenyiOptions {
  static constexpr std::string_view kind = "erdos_renyi";
  static constexpr std::string_view summary =
      "each possible edge exists with the same probability; redrawn until connected";
  std::int64_t agents = 0;
  double probability = 0;
  std::int64_t attempts = 100;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
    field("probability", self.probability, "probability of each possible edge", within(0, 1).required());
    field("attempts", self.attempts, "draws before giving up on a connected graph", within(1, 1e6));
  }
  GraphSize size() const { return {1.0 * agents, 0.5 * agents * (agents - 1.0) * probability}; }
};

inline constexpr std::int64_t most_one_by_one = 16'384;

Topology make_topology(const ErdosRenyiOptions& options, std::uint64_t seed);

/// All agents have the same degree. A circulant graph is mixed by 100 attempted switches per edge: two random edges
/// (a,b), (c,d) become (a,d), (c,b) if the graph stays simple. The chain reaches every regular graph and its limit is
/// uniform over them (Cooper, Dyer, Greenhill, "Sampling regular graphs and a peer-to-peer network", 2007); 100 per
/// edge is the length that Milo et al., "On the uniform generation of random graphs with prescribed degree sequences"
/// (2003), found more than enough. Unlike the pairing model it succeeds for every degree.
struct RandomRegularOptions {
  static constexpr std::string_view kind = "random_regular";
  static constexpr std::string_view summary =
      "a random graph in which all agents have one degree; redrawn until connected";
  std::int64_t agents = 0;
  std::int64_t degree = 0;
  std::int64_t attempts = 100;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
    field("degree", self.degree, "neighbors of each agent; agents times degree must be even", at_least(0).required());
    field("attempts", self.attempts, "draws before giving up on a connected graph", within(1, 1e6));
  }
  void check(auto& report) const {
    if (degree >= agents) report("degree", "below agents", degree);
    if (agents % 2 != 0 && degree % 2 != 0) report("degree", "even for an odd number of agents", degree);
  }
  GraphSize size() const { return {1.0 * agents, 0.5 * agents * degree}; }
};

Topology make_topology(const RandomRegularOptions& options, std::uint64_t seed);

/// Points uniform in the unit square; two agents nearer than `radius` are neighbors. The positions stay with the
/// topology.
struct RandomGeometricOptions {
  static constexpr std::string_view kind = "random_geometric";
  static constexpr std::string_view summary = "agents in the unit square, neighbors when near; redrawn until connected";
  std::int64_t agents = 0;
  double radius = 0;
  std::int64_t attempts = 100;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
    field("radius", self.radius, "agents at a smaller distance are neighbors; the square's side is 1",
          above(0).required());
    field("attempts", self.attempts, "draws before giving up on a connected graph", within(1, 1e6));
  }
  /// Those at the border have fewer neighbors.
  GraphSize size() const {
    return {1.0 * agents, 0.5 * agents * (agents - 1.0) * std::min(1.0, std::numbers::pi * radius * radius)};
  }
};

Topology make_topology(const RandomGeometricOptions& options, std::uint64_t seed);

/// The small worlds of Watts, Strogatz, "Collective dynamics of small-world networks" (1998): a ring where each agent
/// has `degree` nearest neighbors; lap by lap over the distances, each edge (i, i+distance) moves with probability
/// `rewiring` to (i, w), w uniform over the agents that are not yet neighbors of i. An agent joined to all others keeps
/// its edge.
struct WattsStrogatzOptions {
  static constexpr std::string_view kind = "watts_strogatz";
  static constexpr std::string_view summary = "a ring of near neighbors with some edges moved; redrawn until connected";
  std::int64_t agents = 0;
  std::int64_t degree = 0;
  double rewiring = 0;
  std::int64_t attempts = 100;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
    field("degree", self.degree, "neighbors of each agent before rewiring, an even number", at_least(0).required());
    field("rewiring", self.rewiring, "probability that an edge is moved", within(0, 1).required());
    field("attempts", self.attempts, "draws before giving up on a connected graph", within(1, 1e6));
  }
  void check(auto& report) const {
    if (degree >= agents) report("degree", "below agents", degree);
    if (degree % 2 != 0) report("degree", "even", degree);
  }
  GraphSize size() const { return {1.0 * agents, 0.5 * agents * degree}; }
};

Topology make_topology(const WattsStrogatzOptions& options, std::uint64_t seed);

/// Preferential attachment of Barabasi, Albert, "Emergence of scaling in random networks" (1999): each new agent is
/// joined to k different earlier agents, drawn with probabilities proportional to their degrees. The start is a star of
/// agents 0 .. k around agent k. Always connected, so there is nothing to redraw; k (m - k) edges.
struct BarabasiAlbertOptions {
  static constexpr std::string_view kind = "barabasi_albert";
  static constexpr std::string_view summary = "agents join one by one and prefer neighbors of high degree";
  std::int64_t agents = 0;
  std::int64_t edges_per_agent = 0;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
    field("edges_per_agent", self.edges_per_agent, "edges that each new agent brings", at_least(1).required());
  }
  void check(auto& report) const {
    if (agents > 1 && edges_per_agent >= agents) report("edges_per_agent", "below agents", edges_per_agent);
  }
  GraphSize size() const { return {1.0 * agents, 1.0 * agents * edges_per_agent}; }
};

Topology make_topology(const BarabasiAlbertOptions& options, std::uint64_t seed);

}  // namespace lagnet
