#include "topologies/designs/designs.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/unit/topologies/designs/random_delays.hpp"
#include "tests/unit/topologies/said.hpp"
#include "topologies/generators/elementary.hpp"

namespace lagnet::designs_test {

namespace {

double longest_link(const Delays& delays, AgentId center) {
  StarOptions star;
  star.agents = delays.agents();
  star.center = center;
  return link_lengths(delays, make_topology(star, 1)).longest_s;
}

constexpr LinkLengths endless{std::numeric_limits<double>::infinity(), 0};

std::vector<Edge> edges_of(const Topology& topology) { return {topology.edges().begin(), topology.edges().end()}; }

bool is_tree(const Topology& topology) {
  return topology.connected() && std::ssize(topology.edges()) == topology.agents() - 1;
}

/// The least lengths of all trees of at most this degree.
LinkLengths least_lengths(const Delays& delays, std::int64_t degree) {
  LinkLengths least = endless;
  for_each_tree(delays.agents(), [&](const Topology& tree) {
    if (tree.max_degree() <= degree) least = std::min(least, link_lengths(delays, tree));
  });
  return least;
}

bool is_ring(const Topology& topology) {
  const auto has_two = [&](const Edge& edge) {
    return topology.degree(edge.from) == 2 && topology.degree(edge.to) == 2;
  };
  return topology.connected() && std::ssize(topology.edges()) == topology.agents() &&
         std::ranges::all_of(topology.edges(), has_two);
}

}  // namespace

TEST_CASE("no star has a shorter longest link than that of the best center") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Delays delays = drawn_delays(9, seed);
    const AgentId best = best_center(delays);
    for (AgentId center = 0; center < 9; ++center) CHECK(longest_link(delays, best) <= longest_link(delays, center));
  }
}

TEST_CASE("of several centers the lowest is the best") {
  CHECK(best_center(equal_delays(4)) == 0);
  CHECK(best_center(equal_delays(1)) == 0);
  Matrix line(4, 4);
  line << 0, 1, 2, 3, 1, 0, 1, 2, 2, 1, 0, 1, 3, 2, 1, 0;
  CHECK(best_center(Delays(line)) == 1);
}

TEST_CASE("no tree is shorter than the minimum spanning tree, in total or in its longest link") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Delays delays = drawn_delays(6, seed);
    const LinkLengths least = link_lengths(delays, minimum_spanning_tree(delays));
    for_each_tree(6, [&](const Topology& tree) {
      const LinkLengths other = link_lengths(delays, tree);
      REQUIRE(least.longest_s <= other.longest_s);
      REQUIRE(least.total_s <= other.total_s + 1e-14);  // sums of five delays below 1
    });
  }
}

TEST_CASE("links shorter than the longest one of a minimum spanning tree do not connect the graph") {
  const Delays delays = drawn_distances(60, 7);
  const Topology tree = minimum_spanning_tree(delays);
  CHECK(is_tree(tree));
  const double longest = link_lengths(delays, tree).longest_s;
  std::vector<Edge> shorter;
  for (const auto& [i, j] : delays.ascending_pairs())
    if (delays.between(i, j) < longest) shorter.push_back({i, j});
  CHECK_FALSE(Topology(60, std::move(shorter)).connected());
}

TEST_CASE("agents on a line are joined to those beside them") {
  Matrix seconds(5, 5);
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 5; ++j) seconds(i, j) = std::abs(static_cast<double>(i - j));
  const std::vector<Edge> path{{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  CHECK(edges_of(minimum_spanning_tree(Delays(seconds))) == path);
  CHECK(edges_of(bounded_degree_tree(Delays(seconds), 2)) == path);
}

TEST_CASE("among links of equal delay the lowest agents have them") {
  CHECK(edges_of(minimum_spanning_tree(equal_delays(4))) == std::vector<Edge>{{0, 1}, {0, 2}, {0, 3}});
  CHECK(edges_of(bounded_degree_tree(equal_delays(5), 2)) == std::vector<Edge>{{0, 1}, {0, 2}, {1, 3}, {2, 4}});
}

TEST_CASE("a tree of bounded degree keeps the bound, and is at best as short as the best of them") {
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const std::int64_t degree : {2, 3}) {
      const Delays delays = drawn_distances(6, seed);
      const Topology tree = bounded_degree_tree(delays, degree);
      REQUIRE(is_tree(tree));
      REQUIRE(tree.max_degree() <= degree);
      const LinkLengths found = link_lengths(delays, tree), least = least_lengths(delays, degree);
      REQUIRE(found >= least);
      worst = std::max(worst, found.longest_s / least.longest_s);
    }
  CHECK(worst < 1.5);  // measured; no bound is known for this heuristic
}

TEST_CASE("a tree of bounded degree is the minimum spanning tree where that keeps the bound") {
  const Delays delays = drawn_distances(40, 3);
  const Topology tree = minimum_spanning_tree(delays);
  CHECK(edges_of(bounded_degree_tree(delays, tree.max_degree())) == edges_of(tree));
  const Topology lean = bounded_degree_tree(delays, tree.max_degree() - 1);
  CHECK(is_tree(lean));
  CHECK(lean.max_degree() == tree.max_degree() - 1);
}

TEST_CASE("a star of near agents keeps its links up to the bound") {
  // All are at 1 s from agent 0 and at 2 s from each other.
  Matrix seconds = Matrix::Constant(6, 6, 2);
  seconds.row(0).setConstant(1);
  seconds.col(0).setConstant(1);
  const Delays delays(seconds);
  CHECK(minimum_spanning_tree(delays).degree(0) == 5);
  const Topology tree = bounded_degree_tree(delays, 3);
  CHECK(tree.max_degree() == 3);
  CHECK(link_lengths(delays, tree) == LinkLengths{2, 7});  // three links of 1 s and two of 2 s
}

TEST_CASE("trees of one and of two agents, and a bound that no tree keeps") {
  CHECK(minimum_spanning_tree(equal_delays(1)).edges().empty());
  CHECK(bounded_degree_tree(equal_delays(1), 1).edges().empty());
  CHECK(edges_of(bounded_degree_tree(equal_delays(2), 1)) == std::vector<Edge>{{0, 1}});
  CHECK(said([] { bounded_degree_tree(equal_delays(3), 1); }) == "degree: expected at least 2, found 1");
}

TEST_CASE("tries a single root for large graphs") {
  const Delays delays = drawn_distances(300, 1);
  const Topology tree = bounded_degree_tree(delays, 2);
  CHECK(is_tree(tree));
  CHECK(tree.max_degree() == 2);
}

TEST_CASE("a ring passes every agent once, from agent 0 on") {
  for (const std::int64_t agents : {3, 4, 5, 17, 80}) {
    const Delays delays = drawn_delays(agents, 5);
    CHECK(is_ring(short_ring(delays)));
    std::vector<AgentId> tour = short_tour(delays);
    CHECK(tour.front() == 0);
    std::ranges::sort(tour);
    std::vector<AgentId> all(static_cast<std::size_t>(agents));
    std::iota(all.begin(), all.end(), AgentId{0});
    CHECK(tour == all);
  }
  CHECK(short_ring(equal_delays(1)).edges().empty());
  CHECK(short_ring(equal_delays(2)).edges().size() == 1);
}

TEST_CASE("where delays are distances a ring is at most twice as long as the shortest one") {
  double worst_total = 0, worst_longest = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Delays delays = drawn_distances(7, seed);
    double least_total = 1e300, least_longest = 1e300;
    for_each_ring(7, [&](const Topology& ring) {
      const LinkLengths lengths = link_lengths(delays, ring);
      least_total = std::min(least_total, lengths.total_s);
      least_longest = std::min(least_longest, lengths.longest_s);
    });
    const LinkLengths found = link_lengths(delays, short_ring(delays));
    REQUIRE(found.total_s <= 2 * least_total);
    REQUIRE(found.longest_s >= least_longest);
    worst_total = std::max(worst_total, found.total_s / least_total);
    worst_longest = std::max(worst_longest, found.longest_s / least_longest);
  }
  // Measured; 2 is what is proven for the total, and nothing for the longest link.
  CHECK(worst_total < 1.3);
  CHECK(worst_longest < 1.3);
}

TEST_CASE("agents on a circle are joined in its order") {
  constexpr std::int64_t agents = 12;
  Matrix seconds(agents, agents);
  for (Index i = 0; i < agents; ++i)
    for (Index j = 0; j < agents; ++j) {
      // Agent i stands at the hour 5 i: its neighbors on the circle are i + 5 and i - 5.
      const auto hours = static_cast<double>((5 * (i - j) % agents + agents) % agents);
      seconds(i, j) = std::sin(3.14159265358979 * hours / agents);
    }
  const Topology ring = short_ring(Delays(seconds));
  for (const Edge& edge : ring.edges())
    CHECK((5 * (edge.to - edge.from) % 12 == 1 || 5 * (edge.to - edge.from) % 12 == 11));
}

TEST_CASE("no exchange of two links makes a ring shorter") {
  const Delays delays = drawn_distances(30, 2);
  const std::vector<AgentId> tour = short_tour(delays);
  const auto ring_of = [&](const std::vector<AgentId>& order) {
    std::vector<Edge> edges;
    for (std::size_t k = 0; k < order.size(); ++k) edges.push_back({order[k], order[(k + 1) % order.size()]});
    return link_lengths(delays, Topology(30, std::move(edges)));
  };
  const LinkLengths found = ring_of(tour);
  for (std::ptrdiff_t first = 1; first < 30; ++first)
    for (std::ptrdiff_t last = first + 2; last <= 30; ++last) {
      std::vector<AgentId> other = tour;
      std::reverse(other.begin() + first, other.begin() + last);
      const LinkLengths lengths = ring_of(other);
      // One with a shorter longest link may be longer than the first tour in total, which is not looked at here.
      REQUIRE((lengths.longest_s != found.longest_s || lengths.total_s > found.total_s - 1e-9));
    }
}

TEST_CASE("the same delays give the same ring") {
  const Delays delays = equal_delays(9);
  CHECK(short_tour(delays) == short_tour(delays));
  CHECK(short_tour(delays) == std::vector<AgentId>{0, 1, 2, 3, 4, 5, 6, 7, 8});
}

}  // namespace lagnet::designs_test
