#include "algorithms/objectives/losses/softmax.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "algorithms/objectives/losses/logistic.hpp"

namespace lagnet::softmax_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("The softmax loss is minus the logarithm of the class's share of all exponentials") {
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

TEST_CASE("Labels determine the classes unless they are given, and other labels are refused") {
  const Vector y = (Vector(4) << 0, 2, 4, 1).finished();
  CHECK(make_loss(SoftmaxOptions{}, y)->outputs() == 5);
  CHECK(make_loss(SoftmaxOptions{.classes = 7}, y)->outputs() == 7);
  CHECK_THROWS_WITH(make_loss(SoftmaxOptions{}),
                    "classes: expected a number of classes, since no labels determine it, found null");
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

}  // namespace lagnet::softmax_test
