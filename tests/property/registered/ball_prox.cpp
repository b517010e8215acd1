#include "algorithms/objectives/ball_prox.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <vector>

#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "sim/base/draws.hpp"

namespace lagnet::ball_prox_test {

namespace {

struct Case {
  const char* name;
  std::shared_ptr<const Regularizer> r;
  const ScaledNorm& norm() const { return *r->as_norm(); }
};

/// Norms of 12 numbers.
std::vector<Case> all_norms(double weight) {
  const IterateShape tall = IterateShape::matrix(4, 3), wide = IterateShape::matrix(2, 6);
  return {{"l1", make_regularizer(L1Options{.weight = weight})},
          {"nuclear, tall", make_regularizer(NuclearOptions{.weight = weight}, tall)},
          {"nuclear, wide", make_regularizer(NuclearOptions{.weight = weight}, wide)},
          {"groups", make_regularizer(GroupLassoOptions{.weight = weight, .group_size = 4}, IterateShape::vector(12))}};
}

Vector normals(std::uint64_t seed, Index count, double scale) {
  Draws draws(seed, Purpose("ball prox"));
  Vector result(count);
  for (double& entry : result) entry = scale * draws.normal();
  return result;
}

/// A center with zeros and, of an l1 norm, ties with v.
Vector center_of(std::uint64_t seed, const Vector& v) {
  Vector c = normals(seed + 1000, v.size(), 0.5);
  c.segment(2, 3).setZero();
  c[7] = v[7];
  return c;
}

}  // namespace

TEST_CASE("The prox within a Euclidean ball is better than any other point of the ball") {
  std::vector<Case> cases = all_norms(0.4);
  cases.push_back({"elastic net", make_regularizer(ElasticNetOptions{.l1_weight = 0.3, .l2_weight = 0.8})});
  for (const auto& [name, r] : cases)
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      CAPTURE(name, seed);
      const double rho = 1.5, step = 0.7;
      const Vector v = normals(seed, 12, 1.5), w = prox_in_ball(*r, v, step, rho);
      CHECK(w.norm() <= rho * (1 + 1e-15));  // one rounding of a factor
      const auto f = [&](const Vector& x) { return step * r->value(x) + (x - v).squaredNorm() / 2; };
      for (const double distance : {1e-4, 1e-2, 1.0}) {
        Vector other = w + normals(seed + 50, 12, distance);
        if (other.norm() > rho) other *= rho / other.norm();
        // f is 1-strongly convex, and below 100.
        CHECK(f(other) - f(w) >= (other - w).squaredNorm() / 2 - 1e-13);
      }
    }
}

TEST_CASE("Without a threshold or a ball that binds the point is left as it is") {
  for (const auto& [name, r] : all_norms(0.4)) {
    const Vector v = normals(3, 12, 1);
    CHECK(prox_in_ball(*r, v, 0, no_ball) == v);
    CHECK(prox_in_balls(*r->as_norm(), v, 0, {v, 1}, no_ball).w == v);
    CHECK(prox_in_balls(*r->as_norm(), v, 0.5, {v, 1e3}, no_ball).w == r->prox(v, 0.5));
    CHECK(prox_in_balls(*r->as_norm(), v, 0.5, {v, no_ball}, 1e3).w == r->prox(v, 0.5));
  }
}

TEST_CASE("The exact prox within both balls of an l1 norm is that of ADMM with its duality gap") {
  const auto r = make_regularizer(L1Options{.weight = 1});
  const ScaledNorm& norm = *r->as_norm();
  int both = 0, one = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Draws draws(seed, Purpose("sizes"));
    const Vector v = normals(seed, 9, 1.5), c = center_of(seed, v);
    const double tau = draws.uniform(), epsilon = 4 * draws.uniform() + 0.05;
    const double rho = seed % 3 == 0 ? no_ball : c.norm() * (1 + draws.uniform());
    CAPTURE(seed, tau, epsilon, rho);
    const BallProx exact = prox_in_balls(norm, v, tau, {c, epsilon}, rho);
    const BallProx other = prox_in_balls_by_admm(norm, v, tau, {c, epsilon}, rho);
    CHECK(norm.norm(exact.w - c) <= epsilon * (1 + 1e-13));  // a sum of nine that an interpolation has set
    CHECK(exact.w.norm() <= rho * (1 + 1e-14));
    CHECK(other.gap <= 1e-10);                   // it stops at steps of 1e-13, times multipliers below 10
    CHECK((exact.w - other.w).norm() <= 3e-11);  // of a few hundred such steps
    const bool binds = norm.norm(exact.w - c) > epsilon * (1 - 1e-9);
    (binds && exact.w.norm() > rho * (1 - 1e-9) ? both : one) += binds ? 1 : 0;
  }
  CHECK(both >= 10);  // so that each branch was met
  CHECK(one >= 30);
}

TEST_CASE("ADMM reports that its steps ended before the multiplier of a small ball grew to a large weight") {
  for (const auto& [name, r] : all_norms(1)) {
    const Vector v = Vector::Zero(12), c = Vector::Ones(12);
    CAPTURE(name);
    // Each step adds at most |w - u|, about |c|, to the multiplier.
    CHECK_FALSE(prox_in_balls_by_admm(*r->as_norm(), v, 1e9, {c, 0.1}, no_ball).is_found);
    CHECK(prox_in_balls_by_admm(*r->as_norm(), v, 0.1, {c, 0.1}, no_ball).is_found);
  }
}

TEST_CASE("The prox within both balls comes with a duality gap that bounds its error, whatever the norm") {
  for (const auto& [name, r] : all_norms(1))
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const Vector v = normals(seed, 12, 1.5), c = center_of(seed, v);
      const double rho = seed % 2 == 0 ? no_ball : 1.2 * c.norm(), epsilon = 1.2, tau = 0.3;
      CAPTURE(name, seed, rho);
      const ScaledNorm& norm = *r->as_norm();
      const BallProx found = prox_in_balls_by_admm(norm, v, tau, {c, epsilon}, rho);
      CHECK(found.gap <= 1e-10);  // as above
      CHECK(found.gap >= -1e-10);
      CHECK(norm.norm(found.w - c) <= epsilon + 1e-11);  // w - u, at its end
      const auto f = [&](const Vector& x) { return tau * norm.norm(x) + (x - v).squaredNorm() / 2; };
      for (const double distance : {1e-3, 0.1, 1.0}) {
        // Towards the center, which is in both balls, until the point is in both.
        Vector other = found.w + normals(seed + 70, 12, distance);
        for (double near = 1; norm.norm(other - c) > epsilon || other.norm() > rho; near *= 0.5)
          other = c + near * (other - c);
        CHECK(f(other) - f(found.w) >= (other - found.w).squaredNorm() / 2 - 1e-10);
      }
    }
}

TEST_CASE("A ball of radius 0 leaves its center, and the shortcut another point where the ball binds") {
  const auto r = make_regularizer(L1Options{.weight = 0.3});
  const ScaledNorm& norm = *r->as_norm();
  double largest = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Vector v = normals(seed, 9, 1.5), c = center_of(seed, v);
    CHECK(prox_in_balls(norm, v, 1, {c, 0}, no_ball).w == c);
    const Vector exact = prox_in_balls(norm, v, 1, {c, 2}, no_ball).w;
    const Vector quick = prox_in_balls(norm, v, 1, {c, 2}, no_ball, BallRule::shortcut).w;
    CHECK(norm.norm(quick - c) <= 2 * (1 + 1e-14));  // the rounding of a sum of nine
    const auto f = [&](const Vector& x) { return norm.value(x) + (x - v).squaredNorm() / 2; };
    CHECK(f(quick) >= f(exact) - 1e-13);
    largest = std::max(largest, (quick - exact).norm());
  }
  CHECK(largest > 0.1);
}

TEST_CASE("The projection on each norm's ball is the nearest point of it") {
  for (const auto& [name, r] : all_norms(1))
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      CAPTURE(name, seed);
      const ScaledNorm& norm = *r->as_norm();
      const Vector u = normals(seed, 12, 1), at = norm.projected(u, 1.5);
      CHECK(norm.norm(at) <= 1.5 * (1 + 1e-14));  // sums of at most twelve
      CHECK(norm.projected(at, 2) == at);
      for (const double distance : {1e-3, 0.1, 1.0}) {
        Vector other = at + normals(seed + 90, 12, distance);
        other *= std::min(1.0, 1.5 / norm.norm(other));
        CHECK((other - u).norm() >= (at - u).norm() - 1e-13);
      }
    }
}

TEST_CASE("Each norm and its dual norm obey Hoelder's inequality, with equality at a subgradient") {
  for (const auto& [name, r] : all_norms(1))
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      CAPTURE(name, seed);
      const ScaledNorm& norm = *r->as_norm();
      const Vector x = normals(seed, 12, 1), q = normals(seed + 5, 12, 1);
      CHECK(x.dot(q) <= norm.norm(x) * norm.dual_norm(q) + 1e-13);
      const Vector g = *norm.subgradient(x);
      CHECK(norm.dual_norm(g) == Approx(1).epsilon(1e-13));  // orthogonal factors to rounding
      CHECK(g.dot(x) == Approx(norm.norm(x)).epsilon(1e-13));
    }
}

}  // namespace lagnet::ball_prox_test
