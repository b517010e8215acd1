#include "algorithms/interface/curvature.hpp"

#include <catch2/catch.hpp>

#include "algorithms/objectives/losses/absolute.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/squared.hpp"
#include "tests/unit/algorithms/peers/baseline_bench.hpp"

namespace lagnet::curvature_test {

using namespace lagnet::test;

TEST_CASE("the largest curvature of an agent's mean loss is that of its own samples, times its weight") {
  PeerBench bench = two_agents(1);  // one sample each, 1 and 2
  MethodInput given = bench.assignment();
  CHECK(largest_shard_curvature("step", given) == Approx(4).epsilon(1e-12));
  CHECK(largest_shard_curvature("step", given, {9, 1}) == Approx(9).epsilon(1e-12));
  given.problem.loss = make_loss(LogisticOptions{});  // l'' is at most 1/4
  CHECK(largest_shard_curvature("step", given) == Approx(1).epsilon(1e-12));
  given.sample_starts = {0, 0, 2};  // a server, and a client with both: (1 + 4) / 2 / 4
  CHECK(largest_shard_curvature("step", given) == Approx(0.625).epsilon(1e-12));
}

TEST_CASE("where theory has no curvature the option must be given") {
  MethodInput given = two_agents(1).assignment();
  given.problem.X = std::make_shared<const DataMatrix>(Matrix(Matrix::Zero(2, 1)));
  CHECK_THROWS_WITH(
      largest_shard_curvature("client_step", given),
      "client_step: expected a number above 0, since data that are all 0 have no curvature, found theory");
  given.problem.loss = make_loss(AbsoluteOptions{});
  CHECK_THROWS_WITH(largest_shard_curvature("step", given),
                    "step: expected a number above 0, since theory has none for a loss with kinks, found theory");
}

TEST_CASE("the curvature of each agent's mean loss is told by agent, 0 of a server") {
  MethodInput given = two_agents(1).assignment();  // one sample each, 1 and 2
  given.sample_starts = {0, 0, 1, 2};
  const std::vector<double> all = shard_curvatures("step", given);
  REQUIRE(all.size() == 3);
  CHECK(all[0] == 0);
  CHECK(all[1] == Approx(1).epsilon(1e-12));
  CHECK(all[2] == Approx(4).epsilon(1e-12));
}

TEST_CASE("the least curvature of least squares is the least eigenvalue of any agent's samples") {
  MethodInput given = two_agents(1).assignment();
  CHECK(flattest_shard(given).agent == 0);
  CHECK(flattest_shard(given).curvature == Approx(1).epsilon(1e-12));
  CHECK(flattest_shard(given, {9, 1}).agent == 1);
  CHECK(flattest_shard(given, {9, 1}).curvature == Approx(4).epsilon(1e-12));
  CHECK(strong_convexity({}, 4, 0.5, given) == Approx(1.5).epsilon(1e-12));
  CHECK(strong_convexity(0.3, 4, 0.5, given) == 0.3);
  // Rows (1, 2), (2, 1) and, of a client of its own, (1, 1) twice: eigenvalues of X'X are 1 and 9, and 0 and 4.
  given.problem.X = std::make_shared<const DataMatrix>(Matrix{{1, 2}, {2, 1}, {1, 1}, {1, 1}});
  given.sample_starts = {0, 0, 2, 4};
  const FlattestShard flattest = flattest_shard(given);
  CHECK(flattest.agent == 2);
  CHECK(flattest.curvature == 0);  // not a rounding error of it
  given.sample_starts = {0, 0, 2};
  CHECK(flattest_shard(given).curvature == Approx(0.5).epsilon(1e-12));
}

TEST_CASE("where some part is flat mu must come from an option or a square") {
  MethodInput given = two_agents(1).assignment();
  given.problem.loss = make_loss(LogisticOptions{});
  given.sample_starts = {0, 0, 1, 2};
  CHECK(strong_convexity({}, 1, 0.5, given) == 0.5);
  CHECK_THROWS_WITH(strong_convexity({}, 1, 0, given),
                    "mu: expected above 0; agent 1's part has least curvature 0: give mu, or an l2 regularizer, found "
                    "null");
  CHECK_THROWS_WITH(strong_convexity(2, 1, 0, given), "L: expected at least mu, found 1");
  // One sample of two features.
  given.problem.loss = make_loss(SquaredOptions{});
  given.problem.X = std::make_shared<const DataMatrix>(Matrix{{1, 2}, {2, 1}});
  CHECK(flattest_shard(given).curvature == 0);
}

}  // namespace lagnet::curvature_test
