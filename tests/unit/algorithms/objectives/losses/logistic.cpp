#include "algorithms/objectives/losses/logistic.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

namespace lagnet::logistic_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

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
  CHECK(*loss->label_problem(0.5) == "-1 or +1");
  CHECK_FALSE(loss->label_problem(-1));
}

TEST_CASE("The coordinate step of the logistic loss solves its equation for every slope and start") {
  const auto loss = make_loss(LogisticOptions{});
  for (int k = -20; k <= 160; ++k) {
    const double q = std::pow(10, k / 20.0);
    for (int i = -200; i <= 200; ++i) {
      const double t = 0.05 * i;
      for (const double b : {0.0, 0.01, 0.3, 1.0}) {
        const double got = loss->dual_step(b, t, 1, q);
        // log(b/(1 - b)) + t + q (b - start) increases in b through 0, up to its terms' rounding.
        const auto excess = [&](double at) { return std::log(at / (1 - at)) + t + q * (at - b); };
        const double terms = std::abs(std::log(got / (1 - got))) + std::abs(t) + q, slack = 1e-15 * terms;
        const double near = 1e-9 * std::min(got, 1 - got);
        if (!(excess(got - near) <= slack && excess(got + near) >= -slack)) FAIL_CHECK(q << " " << t << " " << b);
      }
    }
  }
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

}  // namespace lagnet::logistic_test
