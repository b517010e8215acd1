#include "algorithms/peers/own_regularizers.hpp"

#include <catch2/catch.hpp>

#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "tests/unit/algorithms/central/problems.hpp"

namespace lagnet::own_regularizers_test {

namespace {

/// Least squares of labels that are 0 with X = 0, whose objective is the regularizer alone; two agents, of 1 and 2
/// features.
MethodInput two_agents(std::shared_ptr<const Regularizer> regularizer) {
  MethodInput given{.problem = testing::make_problem(Matrix::Zero(2, 3), Vector::Zero(2), make_loss(SquaredOptions{}),
                                                     std::move(regularizer)),
                    .feature_starts = {0, 1, 3}};
  given.network.agents = 2;
  return given;
}

}  // namespace

TEST_CASE("each agent's weights act on its block of features alone") {
  const MethodInput given = two_agents(make_regularizer(NoneOptions{}));
  const OwnRegularizers own({0.5, 2}, {0, 1}, given);
  CHECK(own.are_stated());
  CHECK(own.of(0).value(Vector{{-4}}) == 2);
  CHECK(own.of(1).value(Vector{{1, -2}}) == 2 * 3 + 5 / 2.0);
  CHECK(own.objective(Vector{{-4, 1, -2}}, given) == 2 + 8.5);
  CHECK(OwnRegularizers({}, {0, 1}, given).objective(Vector{{-4, 1, -2}}, given) == 2.5);
}

TEST_CASE("without weights all have the problem's regularizer") {
  const MethodInput given = two_agents(make_regularizer(L1Options{.weight = 3}));
  const OwnRegularizers none({}, {}, given);
  CHECK_FALSE(none.are_stated());
  CHECK(none.of(1).value(Vector{{1, -2}}) == 9);
  CHECK(none.objective(Vector{{-4, 1, -2}}, given) == 21);
}

TEST_CASE("weights that are not one for each agent are refused, and such beside the problem's regularizer") {
  const MethodInput none = two_agents(make_regularizer(NoneOptions{})),
                    l1 = two_agents(make_regularizer(L1Options{.weight = 3}));
  CHECK_THROWS_WITH(OwnRegularizers({1, 2, 3}, {}, none),
                    "l1_weights: expected 2 numbers, one for each agent, found 3");
  CHECK_THROWS_WITH(OwnRegularizers({}, {1}, none), "l2_weights: expected 2 numbers, one for each agent, found 1");
  CHECK_THROWS_WITH(
      OwnRegularizers({1, 2}, {}, l1),
      "l1_weights: expected an empty list, or a problem without a regularizer, found a problem that has one");
}

}  // namespace lagnet::own_regularizers_test
