#include "algorithms/local/own_minimizers.hpp"

#include <catch2/catch.hpp>

#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "sim/base/diagnostic.hpp"
#include "tests/unit/algorithms/central/problems.hpp"

namespace lagnet::own_minimizers_test {

TEST_CASE("with one feature that is 1 each agent finds the mean of its labels") {
  const Problem problem = testing::make_problem(Vector::Ones(6), Vector{{1, 2, 6, 5, 10, 0}},
                                                make_loss(SquaredOptions{}), make_regularizer(NoneOptions{}));
  const std::vector<Vector> found = own_minimizers(problem, {0, 3, 4, 6});
  REQUIRE(found.size() == 3);
  // A few roundings of numbers below 10.
  CHECK(found[0][0] == Approx(3).margin(1e-14));
  CHECK(found[1][0] == Approx(5).margin(1e-14));
  CHECK(found[2][0] == Approx(5).margin(1e-14));
}

TEST_CASE("rows without a minimizer are refused with their agent") {
  // The second agent's labels are alike: its own logistic loss decreases for ever.
  const Problem problem = testing::make_problem(Vector::Ones(4), Vector{{1, -1, 1, 1}}, make_loss(LogisticOptions{}),
                                                make_regularizer(NoneOptions{}));
  CHECK_THROWS_WITH(own_minimizers(problem, {0, 2, 4}),
                    "kind: expected samples of which each agent's have a minimizer, as any do with an l2 regularizer, "
                    "found none for those of agent 1");
}

}  // namespace lagnet::own_minimizers_test
