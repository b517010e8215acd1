#include "algorithms/objectives/regularizers/regularizers.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "algorithms/objectives/scaled_norm.hpp"

namespace lagnet::regularizers_test {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("Without a regularizer the prox changes nothing, and the conjugate is finite at 0 alone") {
  const auto r = make_regularizer(NoneOptions{});
  const Vector q = (Vector(4) << -3, -0.5, 0.25, 2).finished();
  CHECK(r->prox(q, 4) == q);
  CHECK(r->conjugate(q) == infinity);
  CHECK(r->conjugate(Vector::Zero(4)) == 0);
  CHECK(r->as_norm() == nullptr);
}

TEST_CASE("The prox, value and conjugate of the l1 norm are the closed forms") {
  const Vector q = (Vector(4) << -3, -0.5, 0.25, 2).finished();
  CHECK(make_regularizer(L1Options{.weight = 0.5})->prox(q, 1) == (Vector(4) << -2.5, 0, 0, 1.5).finished());
  const Vector v = (Vector(3) << -3, 0.5, 2).finished();
  CHECK(make_regularizer(L1Options{.weight = 2})->value(v) == 11);
  CHECK(make_regularizer(L1Options{.weight = 2})->conjugate(v) == infinity);
  CHECK(make_regularizer(L1Options{.weight = 3})->conjugate(v) == 0);
}

TEST_CASE("A negative weight of the l1 norm is refused") {
  CHECK_THROWS_WITH(make_regularizer(L1Options{.weight = -1}),
                    "l1 weight: expected a finite number of at least 0, found -1");
}

TEST_CASE("The prox, value and conjugate of the squared l2 norm are the closed forms") {
  const Vector q = (Vector(4) << -3, -0.5, 0.25, 2).finished();
  CHECK(make_regularizer(L2Options{.weight = 1.5})->prox(q, 2) == Vector(q / 4));
  const auto r = make_regularizer(L2Options{.weight = 4});
  const Vector v = (Vector(3) << -3, 0.5, 2).finished();
  CHECK(r->value(v) == 26.5);
  CHECK(r->conjugate(v) == 13.25 / 8);
}

TEST_CASE("The prox, value and conjugate of the elastic net are the closed forms") {
  const Vector q = (Vector(4) << -3, -0.5, 0.25, 2).finished();
  const auto narrow = make_regularizer(ElasticNetOptions{.l1_weight = 0.5, .l2_weight = 1});
  CHECK(narrow->prox(q, 1) == (Vector(4) << -1.25, 0, 0, 0.75).finished());
  const auto r = make_regularizer(ElasticNetOptions{.l1_weight = 1, .l2_weight = 4});
  const Vector v = (Vector(3) << -3, 0.5, 2).finished();
  CHECK(r->value(v) == 32);
  CHECK(r->conjugate(v) == 5.0 / 8);  // (2^2 + 1^2) / (2 * 4)
}

TEST_CASE("A weight of the elastic net that is not finite is refused") {
  CHECK_THROWS_WITH(make_regularizer(ElasticNetOptions{.l1_weight = 1, .l2_weight = infinity}),
                    "l2 weight: expected a finite number of at least 0, found inf");
}

TEST_CASE("The group lasso adds up the norms of its groups, and its prox shrinks each") {
  const auto r = make_regularizer(GroupLassoOptions{.weight = 2}, IterateShape::matrix(2, 2));
  const Vector theta = (Vector(4) << 3, -4, 0.3, 0.4).finished();
  CHECK(r->value(theta) == Approx(11).epsilon(1e-15));  // 2 (5 + 0.5)
  CHECK((r->prox(theta, 0.5) - (Vector(4) << 2.4, -3.2, 0, 0).finished()).norm() < 1e-15);
  CHECK(r->as_norm()->dual_norm(theta) == 5);
  const auto pairs = make_regularizer(GroupLassoOptions{.weight = 2, .group_size = 1}, IterateShape::vector(4));
  CHECK(pairs->value(theta) == Approx(15.4).epsilon(1e-15));
  CHECK_FALSE(r->is_separable());
}

TEST_CASE("The nuclear norm of a matrix with known singular values is their sum, and its prox thresholds them") {
  // Rows (3, 0), (0, 1), (0, 0): singular values 3 and 1; a wide matrix is its transpose.
  for (const bool wide : {false, true}) {
    const IterateShape shape = wide ? IterateShape::matrix(2, 3) : IterateShape::matrix(3, 2);
    const auto r = make_regularizer(NuclearOptions{.weight = 0.5}, shape);
    Vector theta = Vector::Zero(6), expected = theta;
    theta[0] = -3;
    theta[wide ? 4 : 3] = 1;
    expected[0] = -2;
    CHECK(r->value(theta) == Approx(2).epsilon(1e-15));  // one rounding of a singular value
    CHECK((r->prox(theta, 2) - expected).norm() < 1e-15);
    CHECK(r->prox(theta, 6).isZero(0));
    CHECK(r->as_norm()->dual_norm(theta) == Approx(3).epsilon(1e-15));
    CHECK(r->conjugate(0.1 * theta) == 0);
    CHECK(r->conjugate(theta) == infinity);
    Vector subgradient = Vector::Zero(6);
    subgradient[0] = -0.5;
    CHECK((*r->subgradient(expected) - subgradient).norm() < 1e-15);
    CHECK_FALSE(r->is_separable());
  }
}

}  // namespace lagnet::regularizers_test
