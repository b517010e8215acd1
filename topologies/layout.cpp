#include "topologies/layout.hpp"

#include <algorithm>
#include <boost/graph/fruchterman_reingold.hpp>
#include <boost/graph/topology.hpp>
#include <cmath>
#include <numbers>
#include <utility>

#include "sim/draws.hpp"

namespace lagnet {

namespace {

using Plane = boost::rectangle_topology<>;
using Place = Plane::point_type;

/// The k-th of so many places on the largest circle in the unit square, from the top, clockwise.
Point on_circle(std::int64_t k, std::int64_t count) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(count);
  return {0.5 + 0.5 * std::sin(angle), 0.5 + 0.5 * std::cos(angle)};
}

/// The agents in the order in which a ring passes them.
std::vector<AgentId> around(const Topology& ring) {
  std::vector<AgentId> order{0};
  for (AgentId before = 0, at = ring.neighbors(0)[0]; at != 0;) {
    order.push_back(at);
    const auto next = ring.neighbors(at);
    const AgentId on = next[0] == before ? next[1] : next[0];
    before = std::exchange(at, on);
  }
  return order;
}

std::vector<Point> star_layout(std::int64_t agents, std::int64_t hub) {
  std::vector<Point> places;
  for (std::int64_t agent = 0; agent < agents; ++agent)
    places.push_back(agent == hub ? Point{0.5, 0.5} : on_circle(agent - (agent > hub ? 1 : 0), agents - 1));
  return places;
}

std::vector<Point> ring_layout(const Topology& ring) {
  std::vector<Point> places(static_cast<std::size_t>(ring.agents()));
  const auto order = around(ring);
  for (std::size_t k = 0; k < order.size(); ++k)
    places[order[k]] = on_circle(static_cast<std::int64_t>(k), ring.agents());
  return places;
}

std::vector<Point> circle_layout(std::int64_t agents) {
  std::vector<Point> places;
  for (std::int64_t agent = 0; agent < agents; ++agent) places.push_back(on_circle(agent, agents));
  return places;
}

/// Moved and scaled into the unit square, as large as it can be; as wide for its height as before.
std::vector<Point> fitted(std::vector<Point> places) {
  const auto [left, right] = std::ranges::minmax(places, {}, &Point::x);
  const auto [low, high] = std::ranges::minmax(places, {}, &Point::y);
  const double x = left.x, y = low.y, size = std::max({right.x - x, high.y - y, 1e-9});
  for (Point& place : places) place = {(place.x - x) / size, (place.y - y) / size};
  return places;
}

std::vector<Point> force_layout(const Topology& topology) {
  const auto graph = topology.graph();
  const auto agents = static_cast<std::size_t>(topology.agents());
  // The area grows with the agents, so that each has the same room.
  const double side = std::sqrt(static_cast<double>(agents));
  const Plane plane(0, 0, side, side);
  std::vector<Place> places(agents);
  Draws draws(1, Purpose{"layout"});
  for (Place& place : places) {
    place[0] = draws.uniform(0, side);
    place[1] = draws.uniform(0, side);
  }
  const auto index = get(boost::vertex_index, graph);
  const auto map = boost::make_iterator_property_map(places.begin(), index);
  constexpr unsigned steps = 300, steps_of_large = 100;
  const boost::linear_cooling<double> cooling(agents > 1000 ? steps_of_large : steps, side / 10);
  boost::fruchterman_reingold_force_directed_layout(graph, map, plane, boost::cooling(cooling));
  std::vector<Point> drawn;
  for (const Place& place : places) drawn.push_back({place[0], place[1]});
  return fitted(std::move(drawn));
}

}  // namespace

std::vector<Point> layout(const Topology& topology) {
  const std::int64_t agents = topology.agents(), edges = std::ssize(topology.edges());
  if (!topology.positions().empty()) return {topology.positions().begin(), topology.positions().end()};
  if (agents <= 3) return circle_layout(agents);
  if (topology.max_degree() == agents - 1 && edges == agents - 1) {
    std::int64_t hub = 0;
    while (topology.degree(static_cast<AgentId>(hub)) != agents - 1) ++hub;
    return star_layout(agents, hub);
  }
  if (topology.max_degree() == 2 && edges == agents && topology.connected()) return ring_layout(topology);
  if (5 * edges >= agents * (agents - 1)) return circle_layout(agents);  // two fifths of all pairs are linked
  return force_layout(topology);
}

std::vector<Point> grid_layout(std::int64_t rows, std::int64_t columns, std::int64_t hub) {
  std::vector<Point> places;
  const double size = static_cast<double>(std::max({rows, columns, std::int64_t{2}}) - 1);
  for (std::int64_t cell = 0; cell < rows * columns; ++cell)
    places.push_back(
        {static_cast<double>(cell % columns) / size, static_cast<double>(rows - 1 - cell / columns) / size});
  std::swap(places[0], places[static_cast<std::size_t>(hub)]);
  return places;
}

}  // namespace lagnet
