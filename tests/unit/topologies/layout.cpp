#include "topologies/layout.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "topologies/generators/families.hpp"

namespace lagnet::layout_test {

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

constexpr Point center{0.5, 0.5};
constexpr double rounding = 1e-12;  // of a few operations with numbers about 1

void check_is_in_the_unit_square(const std::vector<Point>& places, std::int64_t agents) {
  REQUIRE(std::ssize(places) == agents);
  for (const Point& place : places) {
    CHECK(std::clamp(place.x, 0.0, 1.0) == place.x);
    CHECK(std::clamp(place.y, 0.0, 1.0) == place.y);
  }
}

TEST_CASE("a star has its hub in the middle and its leaves evenly around it") {
  const auto places = layout(make_topology(StarOptions{.agents = 9, .center = 4}, 1));
  check_is_in_the_unit_square(places, 9);
  CHECK(distance(places[4], center) == 0);
  for (const std::size_t leaf : {0, 1, 3, 5, 8}) CHECK(distance(places[leaf], center) == Approx(0.5).margin(rounding));
  CHECK(distance(places[3], places[5]) == Approx(distance(places[0], places[1])).margin(rounding));
}

TEST_CASE("a ring lies on a circle in its own order, whatever its agents are called") {
  const Topology ring(6, {{0, 3}, {3, 1}, {1, 5}, {5, 2}, {2, 4}, {4, 0}});
  const auto places = layout(ring);
  check_is_in_the_unit_square(places, 6);
  for (const Edge& edge : ring.edges())  // the sides of a regular hexagon are as long as its radius
    CHECK(distance(places[edge.from], places[edge.to]) == Approx(0.5).margin(rounding));
}

TEST_CASE("a path runs to and fro with all its links of one length, whatever its agents are called") {
  // Its rooms are apart, so that links are seen between agents: 1 / (columns - 1) of the square's side.
  const auto [agents, columns] = GENERATE(table<std::int64_t, double>({{16, 16}, {33, 9}, {1000, 45}}));
  std::vector<Edge> edges;
  const auto called = [agents = agents](std::int64_t place) { return static_cast<AgentId>(place * 7 % agents); };
  for (std::int64_t place = 1; place < agents; ++place) edges.push_back({called(place - 1), called(place)});
  const Topology path(agents, edges);
  const auto places = layout(path);
  check_is_in_the_unit_square(places, agents);
  for (const Edge& edge : path.edges())
    CHECK(distance(places[edge.from], places[edge.to]) == Approx(1 / (columns - 1)).margin(rounding));
}

TEST_CASE("a grid has agent 0 in the place of its hub") {
  const auto places = grid_layout(2, 3, 4);
  check_is_in_the_unit_square(places, 6);
  CHECK(places[0] == Point{0.5, 0});
  CHECK(places[4] == Point{0, 0.5});
  CHECK(places[2] == Point{1, 0.5});
  CHECK(grid_layout(1, 1, 0) == std::vector{Point{0, 0}});
}

TEST_CASE("graphs that have positions keep them") {
  const Topology drawn = make_topology(RandomGeometricOptions{.agents = 12, .radius = 0.7}, 5);
  CHECK(std::ranges::equal(layout(drawn), drawn.positions()));
}

TEST_CASE("other graphs are drawn with linked agents nearer than others, the same on every run") {
  const Topology topology = make_topology(WattsStrogatzOptions{.agents = 80, .degree = 4, .rewiring = 0.05}, 3);
  const auto places = layout(topology);
  check_is_in_the_unit_square(places, 80);
  CHECK(places == layout(topology));
  double linked = 0, all = 0;
  for (const Edge& edge : topology.edges()) linked += distance(places[edge.from], places[edge.to]);
  for (const Point& a : places)
    for (const Point& b : places) all += distance(a, b);
  // A drawing at random would have both means alike.
  CHECK(linked / static_cast<double>(std::ssize(topology.edges())) < 0.4 * all / (80 * 79));
}

}  // namespace lagnet::layout_test
