#include "algorithms/objectives/prox.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <vector>

#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "algorithms/objectives/scaled_norm.hpp"
#include "scenarios/format/kinds/problem_kinds.hpp"
#include "sim/base/draws.hpp"
#include "tests/property/registered/with_registered.hpp"

namespace lagnet::prox_test {

namespace {

using Case = test::Registered<std::shared_ptr<const Regularizer>>;

std::vector<Case> all_regularizers() {
  return test::with_registered<RegularizerFamily>(
      std::vector<Case>{
          {"l1", "l1", make_regularizer(L1Options{.weight = 0.4})},
          {"l1", "l1 of weight 0", make_regularizer(L1Options{.weight = 0})},
          {"l2", "l2", make_regularizer(L2Options{.weight = 1.7})},
          {"elastic_net", "elastic net", make_regularizer(ElasticNetOptions{.l1_weight = 0.3, .l2_weight = 0.8})},
          {"nuclear", "nuclear", make_regularizer(NuclearOptions{.weight = 0.4}, IterateShape::matrix(3, 4))},
          {"group_lasso", "groups", make_regularizer(GroupLassoOptions{.weight = 0.6}, IterateShape::matrix(4, 3))}},
      IterateShape::matrix(4, 3));
}

/// The nearest point of the domain of r*, which has an edge where r is a norm.
Vector in_domain(const Regularizer& r, const Vector& q) {
  const ScaledNorm* const norm = r.as_norm();
  return norm                                           ? norm->prox_conjugate(q, 1) * (1 - 1e-15)
         : r.l1_weight() == 0.0 && r.l2_weight() == 0.0 ? Vector(0 * q)
                                                        : q;
}

Vector normals(std::uint64_t seed, Index count, double scale) {
  Draws draws(seed, Purpose("prox"));
  Vector result(count);
  for (double& entry : result) entry = scale * draws.normal();
  return result;
}

template <class Body>
void for_all(Body body) {
  for (const auto& [kind, name, r] : all_regularizers()) {
    for (const double step : {1e-3, 0.5, 20.0}) {
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        CAPTURE(name, step, seed);
        body(*r, step, normals(seed, 12, 1.5), seed);
      }
    }
  }
}

}  // namespace

TEST_CASE("No point near or far is better than the prox") {
  for_all([](const Regularizer& r, double step, const Vector& q, std::uint64_t seed) {
    const auto f = [&](const Vector& x) { return step * r.value(x) + (x - q).squaredNorm() / 2; };
    const Vector at = r.prox(q, step);
    for (const double distance : {1e-6, 1e-3, 1.0, 30.0}) {
      const Vector other = at + normals(seed + 100, q.size(), distance);
      // f is 1-strongly convex: a minimizer is better by at least |x - at|^2 / 2; f is below 2e4.
      CHECK(f(other) - f(at) >= (other - at).squaredNorm() / 2 * (1 - 1e-9) - 1e-14 * f(other));
    }
  });
}

TEST_CASE("The residual of the prox is a subgradient by Fenchel and Young") {
  for_all([](const Regularizer& r, double step, const Vector& q, std::uint64_t) {
    const Vector at = r.prox(q, step);
    Vector s = (q - at) / step;
    // Rounding of at is divided by step and may leave the domain of r*; s is moved back by that much where r* has an
    // edge.
    s = in_domain(r, s);
    const double size = 1 + std::abs(at.dot(s)) + r.value(at);
    CHECK(r.value(at) + r.conjugate(s) ==
          Approx(at.dot(s)).margin((1e-12 + 1e-14 / step) * size).epsilon(0));  // some 1e-15 |q| / step
  });
}

TEST_CASE("Moreau's identity holds for every regularizer") {
  for_all([](const Regularizer& r, double step, const Vector& q, std::uint64_t seed) {
    const Vector sum = r.prox(q, step) + step * r.prox_conjugate(q / step, 1 / step);
    CHECK((sum - q).norm() <= 1e-14 * q.norm());  // a handful of roundings of numbers of the size of q
    // prox_conjugate by its definition, so that the identity above does not only check itself.
    const Vector lam = in_domain(r, r.prox_conjugate(q, step));
    for (const double distance : {1e-4, 1e-2, 1.0}) {
      Vector other = lam + normals(seed + 50, q.size(), distance);
      other = in_domain(r, other);
      const double at_lam = step * r.conjugate(lam) + (lam - q).squaredNorm() / 2;
      const double at_other = step * r.conjugate(other) + (other - q).squaredNorm() / 2;
      CHECK(at_lam <= at_other + 1e-12 * (1 + at_other));  // squares of about 30, twelve terms
    }
  });
}

TEST_CASE("Values and conjugates of every regularizer obey Fenchel and Young") {
  for_all([](const Regularizer& r, double, const Vector& q, std::uint64_t seed) {
    const Vector theta = normals(seed + 200, q.size(), 2);
    CHECK(r.value(theta) + r.conjugate(q) >= theta.dot(q) - 1e-12);  // twelve products below 100
    CHECK(r.conjugate(Vector::Zero(q.size())) == 0);
  });
}

TEST_CASE("The prox of every regularizer never expands a distance") {
  for_all([](const Regularizer& r, double step, const Vector& q, std::uint64_t seed) {
    const Vector p = normals(seed + 300, q.size(), 1);
    CHECK((r.prox(p, step) - r.prox(q, step)).norm() <= (p - q).norm() * (1 + 1e-15));  // rounding of one norm
  });
}

TEST_CASE("Every regularizer of the elastic family has the value of its stated weights") {
  for_all([](const Regularizer& r, double, const Vector& theta, std::uint64_t) {
    if (!r.l1_weight()) return;
    REQUIRE(r.l2_weight());
    const double expected = *r.l1_weight() * theta.lpNorm<1>() + *r.l2_weight() / 2 * theta.squaredNorm();
    CHECK(r.value(theta) == Approx(expected).epsilon(1e-14));  // two sums of twelve
    CHECK(r.prox(Vector(0), 1).size() == 0);                   // an agent without features
  });
}

TEST_CASE("A subgradient's tangent lies below the regularizer, and is 0 where a coefficient is") {
  for_all([](const Regularizer& r, double, const Vector& q, std::uint64_t seed) {
    Vector x = q;
    x.head(3).setZero();
    const auto g = r.subgradient(x);
    REQUIRE(g);
    if (r.is_separable()) CHECK(g->head(3).isZero(0));
    for (const double distance : {1e-6, 1e-3, 1.0, 30.0}) {
      const Vector other = x + normals(seed + 100, x.size(), distance);
      // The values are below 2e4, and sums of 12 numbers.
      CHECK(r.value(other) >= r.value(x) + g->dot(other - x) - 1e-14 * (r.value(x) + r.value(other)));
    }
  });
}

}  // namespace lagnet::prox_test
