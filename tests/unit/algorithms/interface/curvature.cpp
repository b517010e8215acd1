#include "algorithms/interface/curvature.hpp"

#include <catch2/catch.hpp>

#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

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

TEST_CASE("the curvature of the mean loss is given for each agent, 0 for a server") {
  MethodInput given = two_agents(1).assignment();  // one sample each, 1 and 2
  given.sample_starts = {0, 0, 1, 2};
  const std::vector<double> all = shard_curvatures("step", given);
  REQUIRE(all.size() == 3);
  CHECK(all[0] == 0);
  CHECK(all[1] == Approx(1).epsilon(1e-12));
  CHECK(all[2] == Approx(4).epsilon(1e-12));
}

TEST_CASE("the least curvature of an agent's mean loss is the least eigenvalue of its samples") {
  MethodInput given = two_agents(1).assignment();  // one sample each, 1 and 2
  const LeastCurvature first = least_shard_curvature(given), second = least_shard_curvature(given, {9, 1});
  CHECK((first.agent == 0 && second.agent == 1));
  CHECK(first.value == Approx(1).epsilon(1e-12));
  CHECK(second.value == Approx(4).epsilon(1e-12));
  given.sample_starts = {0, 0, 2};  // a server, and a client with both: (1 + 4) / 2
  CHECK(least_shard_curvature(given).agent == 1);
  CHECK(least_shard_curvature(given).value == Approx(2.5).epsilon(1e-12));
  // Rows (1, 2), (2, 1) and, of a client of its own, (1, 1) twice: eigenvalues of X'X are 1 and 9, and 0 and 4.
  given.problem.X = std::make_shared<const DataMatrix>(Matrix{{1, 2}, {2, 1}, {1, 1}, {1, 1}});
  CHECK(least_shard_curvature(given).value == Approx(0.5).epsilon(1e-12));
  given.sample_starts = {0, 0, 2, 4};
  CHECK(least_shard_curvature(given).agent == 2);
  CHECK(least_shard_curvature(given).value == 0);                                    // not a rounding error of it
  given.problem.X = std::make_shared<const DataMatrix>(Matrix(Matrix::Ones(4, 3)));  // fewer samples than features
  CHECK(least_shard_curvature(given).value == 0);
  given.problem.loss = make_loss(LogisticOptions{});
  CHECK(least_shard_curvature(given).value == 0);
  CHECK(least_shard_curvature(given).agent == 1);  // the first with samples
}

}  // namespace lagnet::curvature_test
