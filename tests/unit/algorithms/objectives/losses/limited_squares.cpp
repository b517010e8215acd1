#include "algorithms/objectives/losses/limited_squares.hpp"

#include <catch2/catch.hpp>

#include <limits>

namespace lagnet::limited_squares_test {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("limited squares are squares up to the limits of each side and sample, and linear beyond") {
  const LimitedSquares two{{{.target = 3, .low = -1, .high = 2}, {.target = -4, .low = 0, .high = infinity}}};
  CHECK(two.labels() == Vector(Eigen::Vector2d(4, 5)));  // numbers that are no smaller than the targets
  const auto loss = make_loss(two);
  CHECK(loss->value(2, 4) == 0.5);       // z = 1
  CHECK(loss->value(-3, 4) == 10);       // z = 2: 2 * 6 - 2
  CHECK(loss->value(7, 4) == 3.5);       // z = -1: 4 - 1/2
  CHECK(loss->derivative(-3, 4) == -2);  // -z
  CHECK(loss->derivative(7, 4) == 1);
  CHECK(loss->value(-6, 5) == 2);
  CHECK(loss->value(-3, 5) == 0);
  CHECK(loss->curvature(2, 4) == 1);
  CHECK(loss->curvature(7, 4) == 0);
  CHECK(loss->conjugate(1, 4) == 3.5);  // at a = 4: 4 - 1/2
  CHECK(loss->conjugate(-2.001, 4) == infinity);
  CHECK(loss->conjugate(0.001, 5) == infinity);
  CHECK(loss->prox_conjugate(5, 4, 1) == 1);     // (5 - 3) / 2
  CHECK(loss->prox_conjugate(-50, 4, 1) == -2);  // the largest z
  CHECK_FALSE(loss->lipschitz());
  CHECK(*make_loss(LimitedSquares{{two.samples[0]}})->lipschitz() == 2);
}

TEST_CASE("limited squares without limits are squares, and take the labels of their samples alone") {
  const auto loss = make_loss(LimitedSquares{{{.target = 2, .low = -infinity, .high = infinity}}});
  CHECK(loss->value(5, 2) == 4.5);
  CHECK(loss->conjugate(3, 2) == 10.5);
  CHECK_FALSE(loss->label_problem(2));
  CHECK(*loss->label_problem(2.5) == "a whole number from 2 to 2");
  CHECK(loss->label_problem(3));
}

}  // namespace lagnet::limited_squares_test
