#include <catch2/catch.hpp>
#include <limits>

#include "algorithms/objectives/regularizers/elastic_net.hpp"
#include "algorithms/objectives/regularizers/group_lasso.hpp"
#include "algorithms/objectives/regularizers/l1.hpp"
#include "algorithms/objectives/regularizers/l2.hpp"
#include "algorithms/objectives/regularizers/none.hpp"
#include "algorithms/objectives/regularizers/nuclear.hpp"
#include "algorithms/objectives/scaled_norm.hpp"

namespace lagnet::regularizers_test {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("Each proximal map is its closed form") {
  const Vector q = (Vector(4) << -3, -0.5, 0.25, 2).finished();
  CHECK(make_regularizer(NoneOptions{})->prox(q, 4) == q);
  CHECK(make_regularizer(L1Options{.weight = 0.5})->prox(q, 1) == (Vector(4) << -2.5, 0, 0, 1.5).finished());
  CHECK(make_regularizer(L2Options{.weight = 1.5})->prox(q, 2) == Vector(q / 4));
  const auto both = make_regularizer(ElasticNetOptions{.l1_weight = 0.5, .l2_weight = 1});
  CHECK(both->prox(q, 1) == (Vector(4) << -1.25, 0, 0, 0.75).finished());
}

TEST_CASE("Each value and conjugate is its closed form") {
  const Vector q = (Vector(3) << -3, 0.5, 2).finished();
  CHECK(make_regularizer(NoneOptions{})->conjugate(q) == infinity);
  CHECK(make_regularizer(L1Options{.weight = 2})->value(q) == 11);
  CHECK(make_regularizer(L1Options{.weight = 2})->conjugate(q) == infinity);
  CHECK(make_regularizer(L1Options{.weight = 3})->conjugate(q) == 0);
  CHECK(make_regularizer(L2Options{.weight = 4})->value(q) == 26.5);
  CHECK(make_regularizer(L2Options{.weight = 4})->conjugate(q) == 13.25 / 8);
  const auto both = make_regularizer(ElasticNetOptions{.l1_weight = 1, .l2_weight = 4});
  CHECK(both->value(q) == 32);
  CHECK(both->conjugate(q) == 5.0 / 8);  // (2^2 + 1^2) / (2 * 4)
}

TEST_CASE("A weight that is negative or not finite is refused") {
  CHECK_THROWS_WITH(make_regularizer(L1Options{.weight = -1}),
                    "l1 weight: expected a finite number of at least 0, found -1");
  CHECK_THROWS_WITH(make_regularizer(ElasticNetOptions{.l1_weight = 1, .l2_weight = infinity}),
                    "l2 weight: expected a finite number of at least 0, found inf");
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

TEST_CASE("A norm keeps its kind with another weight") {
  for (const auto& r : {make_regularizer(L1Options{.weight = 0.5}),
                        make_regularizer(NuclearOptions{.weight = 0.5}, IterateShape::matrix(2, 3)),
                        make_regularizer(GroupLassoOptions{.weight = 0.5}, IterateShape::matrix(2, 3))}) {
    const Vector theta = Vector::LinSpaced(6, -1, 2);
    const auto other = r->as_norm()->with_weight(2);
    CHECK(other->value(theta) == Approx(4 * r->value(theta)).epsilon(1e-15));
    CHECK(other->norm(theta) == r->as_norm()->norm(theta));
    CHECK_THROWS_WITH(r->as_norm()->with_weight(-1),
                      Catch::Contains("expected a finite number of at least 0, found -1"));
  }
  CHECK(make_regularizer(NoneOptions{})->as_norm() == nullptr);
}

}  // namespace lagnet::regularizers_test
