#include "algorithms/objectives/losses/hinge.hpp"

#include <catch2/catch.hpp>
#include <limits>

namespace lagnet::hinge_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("The hinge loss is the closed form, and takes the labels -1 and +1 alone") {
  const auto loss = make_loss(HingeOptions{});
  CHECK(loss->value(-2, 1) == 3);
  CHECK(loss->value(-2, -1) == 0);
  CHECK(loss->derivative(0.5, 1) == -1);
  CHECK(loss->derivative(0.5, -1) == 1);
  CHECK(loss->derivative(1, 1) == 0);
  CHECK(loss->conjugate(-0.25, 1) == -0.25);
  CHECK(loss->conjugate(0.25, 1) == infinity);
  CHECK(loss->prox_conjugate(0.75, 1, 1) == -0.25);
  CHECK(loss->dual_step(0.25, 0.5, 1, 1) == 0.75);
  CHECK_FALSE(loss->smoothness());
  CHECK(*loss->label_problem(0) == "-1 or +1");
}

}  // namespace lagnet::hinge_test
