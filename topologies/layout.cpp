#include "topologies/layout.hpp"

#include <algorithm>
#include <boost/graph/depth_first_search.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "sim/base/array.hpp"
#include "sim/base/draws.hpp"
#include "sim/numerics/decompositions.hpp"
#include "topologies/graph.hpp"
#include "topologies/laplacian.hpp"

namespace lagnet {

namespace {

/// The k-th of `count` places on the largest circle in the unit square, from the top, clockwise.
Point on_circle(std::int64_t k, std::int64_t count) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(count);
  return {0.5 + 0.5 * std::sin(angle), 0.5 + 0.5 * std::cos(angle)};
}

/// Notes agents in the order in which a search discovers them.
class OrderRecorder : public boost::default_dfs_visitor {
 public:
  explicit OrderRecorder(std::vector<AgentId>& order) : order_(&order) {}
  void discover_vertex(AgentId agent, const Graph&) { order_->push_back(agent); }

 private:
  std::vector<AgentId>* order_;
};

/// The agents in the order in which a ring or a path passes them: depth first.
std::vector<AgentId> along(const Topology& topology, AgentId first) {
  std::vector<AgentId> order;
  boost::depth_first_search(graph_of(topology), boost::visitor(OrderRecorder(order)).root_vertex(first));
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
  const auto order = along(ring, 0);
  for (std::size_t k = 0; k < order.size(); ++k)
    places[order[k]] = on_circle(static_cast<std::int64_t>(k), ring.agents());
  return places;
}

/// In rows from the top, twice as many agents in each as there are rows, every other row from right to left.
std::vector<Point> path_layout(const Topology& path) {
  constexpr std::int64_t one_row_max = 16;
  const std::int64_t agents = path.agents();
  AgentId end = 0;
  while (path.degree(end) != 1) ++end;
  const std::int64_t columns =
      agents <= one_row_max ? agents : static_cast<std::int64_t>(std::ceil(std::sqrt(2 * static_cast<double>(agents))));
  const double last = static_cast<double>(columns - 1);
  std::vector<Point> places(static_cast<std::size_t>(agents));
  const auto order = along(path, end);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto row = static_cast<std::int64_t>(k) / columns, place = static_cast<std::int64_t>(k) % columns;
    const double column = static_cast<double>(place);
    places[order[k]] = {(row % 2 == 0 ? column : last - column) / last, 1 - static_cast<double>(row) / last};
  }
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

/// The number of edges from an agent to each one (m); one more than to the farthest where there is no way.
Vector spread_from(const Topology& topology, AgentId start) {
  const std::vector<std::int64_t> hops = hops_from(topology, start);
  const std::int64_t beyond = std::ranges::max(hops) + 1;
  Vector distances(topology.agents());
  for (std::size_t agent = 0; agent < hops.size(); ++agent)
    distances[static_cast<Index>(agent)] = static_cast<double>(hops[agent] == unreachable ? beyond : hops[agent]);
  return distances;
}

/// Distances to some pivots (m x pivots), each as far as can be from those before it.
Matrix pivot_distances(const Topology& topology, Index pivots) {
  Matrix distances(topology.agents(), pivots);
  Vector nearest = Vector::Constant(topology.agents(), std::numeric_limits<double>::infinity());
  Index pivot = 0;
  for (Index k = 0; k < pivots; ++k) {
    distances.col(k) = spread_from(topology, static_cast<AgentId>(pivot));
    nearest = nearest.cwiseMin(distances.col(k));
    nearest.maxCoeff(&pivot);
  }
  return distances;
}

/// Moves those a little that would lie on another one, as agents with the same neighbors do.
std::vector<Point> told_apart(std::vector<Point> places) {
  const double room = 0.5 / std::sqrt(static_cast<double>(places.size()));
  Draws draws(1, Purpose{"layout"});
  for (std::size_t k = 1; k < places.size(); ++k) {
    const Point here = places[k];
    const auto is_near = [&](const Point& other) { return std::hypot(other.x - here.x, other.y - here.y) < room / 10; };
    if (std::none_of(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(k), is_near)) continue;
    places[k] = {here.x + room * (draws.uniform() - 0.5), here.y + room * (draws.uniform() - 0.5)};
  }
  return fitted(std::move(places));
}

/// Brandes, Pich 2007: the two main axes of the doubly centered squared distances.
std::vector<Point> pivot_layout(const Topology& topology) {
  constexpr Index pivots_max = 100;
  Matrix C = pivot_distances(topology, std::min<Index>(pivots_max, topology.agents())).array().square();
  const double mean = C.mean();
  const Vector row_means = C.rowwise().mean();
  const Eigen::RowVectorXd column_means = C.colwise().mean();
  C.colwise() -= row_means;
  C.rowwise() -= column_means;
  C.array() += mean;
  const SymmetricEigen axes = symmetric_eigen(C.transpose() * C);
  const Index last = C.cols() - 1;
  const Matrix places = C * axes.vectors.middleCols(last - 1, 2);
  std::vector<Point> drawn;
  for (Index agent = 0; agent < places.rows(); ++agent) drawn.push_back({places(agent, 1), places(agent, 0)});
  return told_apart(fitted(std::move(drawn)));
}

/// An edge wherever there is an arc.
Topology without_directions(const Topology& digraph) {
  std::vector<Edge> edges;
  for (const Edge& arc : digraph.edges())
    if (arc.from < arc.to || !digraph.sends(arc.to, arc.from)) edges.push_back({arc.from, arc.to});
  const auto positions = digraph.positions();
  return Topology(digraph.agents(), std::move(edges), {positions.begin(), positions.end()});
}

}  // namespace

std::vector<Point> layout(const Topology& topology) {
  if (topology.is_directed()) return layout(without_directions(topology));
  const std::int64_t agents = topology.agents(), edges = std::ssize(topology.edges());
  if (!topology.positions().empty()) return {topology.positions().begin(), topology.positions().end()};
  if (agents <= 3) return circle_layout(agents);
  if (topology.max_degree() == agents - 1 && edges == agents - 1) {
    std::int64_t hub = 0;
    while (topology.degree(static_cast<AgentId>(hub)) != agents - 1) ++hub;
    return star_layout(agents, hub);
  }
  if (topology.max_degree() == 2 && edges == agents && topology.connected()) return ring_layout(topology);
  if (topology.max_degree() == 2 && edges == agents - 1 && topology.connected()) return path_layout(topology);
  if (5 * edges >= agents * (agents - 1)) return circle_layout(agents);  // two fifths of all pairs are linked
  return pivot_layout(topology);
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
