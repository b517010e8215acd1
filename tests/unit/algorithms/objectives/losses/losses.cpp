#include "algorithms/objectives/losses/losses.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

namespace lagnet::losses_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("The squared loss and its prox are the closed forms") {
  const auto loss = make_loss(SquaredOptions{});
  CHECK(loss->value(5, 2) == 4.5);
  CHECK(loss->derivative(5, 2) == 3);
  CHECK(loss->conjugate(3, 2) == 10.5);  // 3 * 5 - 4.5
  CHECK(loss->prox_conjugate(4, 2, 1) == 1);
  CHECK_FALSE(loss->lipschitz());
  CHECK(*loss->sqrt_lipschitz() == std::sqrt(2.0));
}

TEST_CASE("The absolute loss and its prox are the closed forms") {
  const auto loss = make_loss(AbsoluteOptions{});
  CHECK(loss->value(-1, 2) == 3);
  CHECK(loss->derivative(-1, 2) == -1);
  CHECK(loss->derivative(2, 2) == 0);
  CHECK(loss->conjugate(-1, 2) == -2);
  CHECK(loss->conjugate(1.001, 2) == infinity);
  CHECK(loss->prox_conjugate(1.25, 2, 0.5) == 0.25);
  CHECK(loss->prox_conjugate(9, 2, 0.5) == 1);
  CHECK_FALSE(loss->smoothness());
  CHECK_FALSE(loss->sqrt_lipschitz());
}

TEST_CASE("The Huber loss is quadratic up to the threshold and linear beyond") {
  const auto loss = make_loss(HuberOptions{.threshold = 2});
  CHECK(loss->value(4, 3) == 0.5);
  CHECK(loss->value(5, 3) == 2);
  CHECK(loss->value(-7, 3) == 18);  // 2 * 10 - 2
  CHECK(loss->derivative(-7, 3) == -2);
  CHECK(loss->conjugate(-2, 3) == -4);  // at a = 1: -2 - 2
  CHECK(loss->conjugate(2.001, 3) == infinity);
  CHECK(loss->prox_conjugate(5, 3, 1) == 1);
  CHECK(loss->prox_conjugate(50, 3, 1) == 2);
  CHECK(*loss->lipschitz() == 2);
}

TEST_CASE("A Huber threshold that is not above 0 and finite is refused") {
  CHECK_THROWS_WITH(make_loss(HuberOptions{.threshold = 0}),
                    "huber threshold: expected a finite number above 0, found 0");
  CHECK_THROWS_WITH(make_loss(HuberOptions{.threshold = infinity}),
                    "huber threshold: expected a finite number above 0, found inf");
}

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

}  // namespace lagnet::losses_test
