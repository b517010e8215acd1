#include "algorithms/objectives/losses/smoothed_hinge.hpp"

#include <catch2/catch.hpp>
#include <limits>

namespace lagnet::smoothed_hinge_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("The smoothed hinge loss is the closed form, and takes the labels -1 and +1 alone") {
  const auto loss = make_loss(SmoothedHingeOptions{.gamma = 0.5});
  CHECK(loss->value(0.75, 1) == 0.0625);
  CHECK(loss->value(-2, 1) == 2.75);
  CHECK(loss->value(2, 1) == 0);
  CHECK(loss->derivative(0.75, 1) == -0.5);
  CHECK(loss->derivative(-0.75, -1) == 0.5);
  CHECK(loss->curvature(0.75, 1) == 2);
  CHECK(loss->curvature(0.25, 1) == 0);
  CHECK(loss->conjugate(-0.5, 1) == -0.4375);
  CHECK(loss->conjugate(-1.5, 1) == infinity);
  CHECK(loss->dual_step(0.25, 0.5, 1, 0.5) == 0.625);  // (1 - 0.5 + 0.125) / 1
  CHECK(*loss->smoothness() == 2);
  CHECK(*loss->label_problem(2) == "-1 or +1");
}

TEST_CASE("A width of the smoothed hinge that is not above 0 and finite is refused") {
  CHECK_THROWS_WITH(make_loss(SmoothedHingeOptions{.gamma = 0}),
                    "smoothed_hinge gamma: expected a finite number above 0, found 0");
  CHECK_THROWS_WITH(make_loss(SmoothedHingeOptions{.gamma = infinity}),
                    "smoothed_hinge gamma: expected a finite number above 0, found inf");
}

}  // namespace lagnet::smoothed_hinge_test
