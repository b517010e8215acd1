#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "algorithms/objectives/losses/absolute.hpp"
#include "algorithms/objectives/losses/hinge.hpp"
#include "algorithms/objectives/losses/huber.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/smoothed_hinge.hpp"
#include "algorithms/objectives/losses/softmax.hpp"
#include "algorithms/objectives/losses/squared.hpp"
#include "algorithms/problem/problem.hpp"

namespace lagnet::losses_test {

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

TEST_CASE("The hinge losses are the closed forms, and take the labels -1 and +1 alone") {
  const auto hinge = make_loss(HingeOptions{});
  CHECK(hinge->value(-2, 1) == 3);
  CHECK(hinge->value(-2, -1) == 0);
  CHECK(hinge->derivative(0.5, 1) == -1);
  CHECK(hinge->derivative(0.5, -1) == 1);
  CHECK(hinge->derivative(1, 1) == 0);
  CHECK(hinge->conjugate(-0.25, 1) == -0.25);
  CHECK(hinge->conjugate(0.25, 1) == infinity);
  CHECK(hinge->prox_conjugate(0.75, 1, 1) == -0.25);
  CHECK(hinge->dual_step(0.25, 0.5, 1, 1) == 0.75);
  CHECK_FALSE(hinge->smoothness());
  CHECK(*hinge->label_problem(0) == "-1 or +1");

  const auto smoothed = make_loss(SmoothedHingeOptions{.gamma = 0.5});
  CHECK(smoothed->value(0.75, 1) == 0.0625);
  CHECK(smoothed->value(-2, 1) == 2.75);
  CHECK(smoothed->value(2, 1) == 0);
  CHECK(smoothed->derivative(0.75, 1) == -0.5);
  CHECK(smoothed->derivative(-0.75, -1) == 0.5);
  CHECK(smoothed->curvature(0.75, 1) == 2);
  CHECK(smoothed->curvature(0.25, 1) == 0);
  CHECK(smoothed->conjugate(-0.5, 1) == -0.4375);
  CHECK(smoothed->conjugate(-1.5, 1) == infinity);
  CHECK(smoothed->dual_step(0.25, 0.5, 1, 0.5) == 0.625);  // (1 - 0.5 + 0.125) / 1
  CHECK(*smoothed->smoothness() == 2);
  CHECK(*smoothed->label_problem(2) == "-1 or +1");
}

TEST_CASE("A width of the smoothed hinge that is not above 0 and finite is refused") {
  CHECK_THROWS_WITH(make_loss(SmoothedHingeOptions{.gamma = 0}),
                    "smoothed_hinge gamma: expected a finite number above 0, found 0");
  CHECK_THROWS_WITH(make_loss(SmoothedHingeOptions{.gamma = infinity}),
                    "smoothed_hinge gamma: expected a finite number above 0, found inf");
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

TEST_CASE("The softmax loss is the logarithm of what the class's share is of all exponentials") {
  const auto loss = make_loss(SoftmaxOptions{.classes = 3});
  CHECK(loss->outputs() == 3);
  const Vector y = (Vector(2) << 2, 0).finished();
  const Vector a = (Vector(6) << 0, 0, 0, std::log(2.0), 0, std::log(3.0)).finished();
  CHECK(loss->total(a, y) == Approx(std::log(3.0) + std::log(3.0)).epsilon(1e-15));  // 6/2 = 3 of the second sample
  const Vector expected = (Vector(6) << 1. / 3, 1. / 3, -2. / 3, -2. / 3, 1. / 6, 1. / 2).finished();
  CHECK((loss->derivative(a, y) - expected).norm() < 1e-15);
  // l + l* = lam' a at lam = l'(a).
  CHECK(loss->total(a, y) + loss->total_conjugate(expected, y) == Approx(a.dot(expected)).epsilon(1e-14));
  CHECK(loss->total_conjugate(-expected, y) == infinity);
  CHECK(loss->total_conjugate(Vector::Zero(6), y) == 0);
  const Vector far = (Vector(6) << 1e8, 0, 0, 0, -1e8, 0).finished();
  CHECK(loss->total(far, y) == Approx(1e8 + std::log(2.0)).epsilon(1e-15));
  CHECK(loss->derivative(far, y).allFinite());
}

TEST_CASE("The gradient of the softmax loss is the slope of its value") {
  const auto loss = make_loss(SoftmaxOptions{.classes = 4});
  const Vector y = (Vector(3) << 3, 0, 1).finished(), a = Vector::LinSpaced(12, -2, 3);
  const Vector g = loss->derivative(a, y);
  for (Index i = 0; i < 12; ++i) {
    constexpr double h = 1e-5;
    const Vector e = h * Vector::Unit(12, i);
    // Central differences: h^2 / 6 times a third derivative below 1, and rounding of values below 20.
    CHECK(g[i] == Approx((loss->total(a + e, y) - loss->total(a - e, y)) / (2 * h)).margin(5e-10).epsilon(0));
  }
}

TEST_CASE("Classes are told by the labels unless they are given, and what is no class is refused") {
  const Vector y = (Vector(4) << 0, 2, 4, 1).finished();
  CHECK(make_loss(SoftmaxOptions{}, y)->outputs() == 5);
  CHECK(make_loss(SoftmaxOptions{.classes = 7}, y)->outputs() == 7);
  CHECK_THROWS_WITH(make_loss(SoftmaxOptions{}),
                    "classes: expected a number of classes, since there are no labels to tell it by, found null");
  const auto loss = make_loss(SoftmaxOptions{.classes = 3});
  CHECK(*loss->label_problem(3) == "a class, an integer from 0 to 2");
  CHECK(*loss->label_problem(-1) == "a class, an integer from 0 to 2");
  CHECK(*loss->label_problem(0.5) == "a class, an integer from 0 to 2");
  CHECK_FALSE(loss->label_problem(2));
  Vector wrong = y;
  wrong[2] = 2.5;
  CHECK(make_loss(SoftmaxOptions{}, wrong)->label_problem(2.5));
}

TEST_CASE("With two classes softmax regression is the logistic one of the difference of the scores") {
  const auto two = make_loss(SoftmaxOptions{.classes = 2});
  const auto logistic = make_loss(LogisticOptions{});
  for (const double a : {-3.0, 0.0, 0.7, 40.0}) {
    const Vector scores = (Vector(2) << 0.3, 0.3 + a).finished(), y = Vector::Ones(1);
    CHECK(two->total(scores, y) == Approx(logistic->value(a, 1)).margin(1e-15).epsilon(1e-13));  // log(1 + x) near 1
    CHECK(two->derivative(scores, y)[1] == Approx(logistic->derivative(a, 1)).margin(1e-15).epsilon(1e-13));
  }
}

TEST_CASE("The objective of a matrix of coefficients has a row of scores for each sample, dense or sparse") {
  const Matrix x = (Matrix(2, 3) << 1, 0, 2, 0, -1, 0).finished();
  const Vector W = Vector::LinSpaced(6, 0.1, 0.6);  // rows (.1, .2), (.3, .4), (.5, .6)
  for (const DataMatrix& data : {DataMatrix(x), DataMatrix(SparseMatrix(x.sparseView()))}) {
    const Vector scores = data.times(W, 2);
    CHECK((scores - (Vector(4) << 1.1, 1.4, -0.3, -0.4).finished()).norm() < 1e-15);
    const Vector back = data.transpose_times((Vector(4) << 1, 2, 3, 4).finished(), 2);
    CHECK(back == (Vector(6) << 1, 2, -3, -4, 2, 4).finished());
  }
}

}  // namespace lagnet::losses_test
