#include "topologies/designs/spanning_trees.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/unit/topologies/designs/random_delays.hpp"
#include "tests/unit/topologies/said.hpp"

namespace lagnet::spanning_trees_test {

namespace {

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

}  // namespace

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

TEST_CASE("without the links as long as its longest, nothing connects what a minimum spanning tree connects") {
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

TEST_CASE("of many agents one root is tried") {
  const Delays delays = drawn_distances(300, 1);
  const Topology tree = bounded_degree_tree(delays, 2);
  CHECK(is_tree(tree));
  CHECK(tree.max_degree() == 2);
}

}  // namespace lagnet::spanning_trees_test
