#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "algorithms/objectives/absolute.hpp"
#include "algorithms/objectives/huber.hpp"
#include "algorithms/objectives/logistic.hpp"
#include "algorithms/objectives/squared.hpp"

using namespace lagnet;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

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

TEST_CASE("The logistic loss is right at 0 and does not overflow far out") {
  const auto loss = make_loss(LogisticOptions{});
  CHECK(loss->value(0, 1) == Approx(std::log(2.0)).epsilon(1e-15));  // one rounding
  CHECK(loss->derivative(0, -1) == 0.5);
  CHECK(loss->curvature(0, -1) == 0.25);
  CHECK(loss->value(-1e8, 1) == 1e8);
  CHECK(loss->value(1e8, 1) == 0);
  CHECK(loss->derivative(-1e8, 1) == -1);
  CHECK(loss->derivative(1e8, 1) == 0);
  CHECK(loss->conjugate(-0.5, 1) == Approx(-std::log(2.0)).epsilon(1e-15));  // one rounding
  CHECK(loss->conjugate(-1, 1) == 0);
  CHECK(loss->conjugate(0, 1) == 0);
  CHECK(loss->conjugate(0.1, 1) == infinity);
  CHECK(*loss->label_problem(0.5) == "expected -1 or +1, found 0.5");
  CHECK_FALSE(loss->label_problem(-1));
}

TEST_CASE(
    "The logistic prox of the conjugate is strictly inside the domain and solves its equation for all magnitudes") {
  const auto loss = make_loss(LogisticOptions{});
  for (const double y : {-1.0, 1.0}) {
    for (double c = 1e-8; c <= 1.1e8; c *= 10) {
      for (const double size : {0.0, 1e-8, 1e-3, 0.3, 0.5, 0.9999, 1.0, 1.5, 30.0, 1e4, 1e8}) {
        for (const double u : {-size, size}) {
          const double lam = loss->prox_conjugate(u, y, c);
          CAPTURE(y, c, u, lam);
          REQUIRE((y * lam > -1 && y * lam < 0));
          const double p = -y * lam;
          // Optimality c log(p / (1 - p)) + p + y u = 0, where p is neither tiny nor within rounding of 1: the
          // logarithm carries 1e-16 / (1 - p), hence the bound on p.
          if (p < 1e-290 || p > 1 - 1e-4) continue;
          const double terms = std::abs(c * std::log(p / (1 - p))) + p + std::abs(u);
          // Newton's method ends with w to 1e-15 max(1, |w|); c w is one of the terms, or below c.
          CHECK(std::abs(c * std::log(p / (1 - p)) + p + y * u) <= 1e-11 * c + 1e-14 * terms);
        }
      }
    }
  }
}
