#include "algorithms/objectives/constraint.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/objectives/sets/sets.hpp"
#include "scenarios/format/kinds/problem_kinds.hpp"
#include "sim/base/draws.hpp"
#include "tests/property/registered/with_registered.hpp"

namespace lagnet::constraint_test {

namespace {

constexpr Index d = 12;

using Made = test::Registered<std::shared_ptr<const Constraint>>;

struct Case {
  std::string name;
  std::shared_ptr<const Constraint> set;
  // How far a projection may be from the exact one: a few hundred roundings of numbers up to 50, and what Dykstra's
  // stopping rule of 1e-13 leaves where two sets meet at a small angle.
  double rounding;
};

std::vector<Case> all_constraints() {
  const IterateShape shape = IterateShape::matrix(3, 4);
  const auto made = test::with_registered<ConstraintFamily>(
      std::vector<Made>{
          {"l1_ball", "l1 ball", make_constraint(L1BallOptions{.radius = 1.5}, shape)},
          {"l1_ball", "l1 ball of radius 0", make_constraint(L1BallOptions{.radius = 0}, shape)},
          {"l2_ball", "l2 ball", make_constraint(L2BallOptions{.radius = 0.7}, shape)},
          {"box", "box", make_constraint(BoxOptions{.bound = 0.4}, shape)},
          {"box", "box of omega", make_constraint(BoxOptions{.omega = 1}, shape)},
          {"nuclear_ball", "nuclear ball", make_constraint(NuclearBallOptions{.radius = 1.2}, shape)},
          {"nuclear_ball", "nuclear ball of a tall matrix",
           make_constraint(NuclearBallOptions{.radius = 2, .rows = 6}, shape)},
          {"nuclear_ball", "nuclear ball of radius 0", make_constraint(NuclearBallOptions{.radius = 0}, shape)},
          {"nuclear_ball_and_box", "nuclear ball and box",
           make_constraint(NuclearBallAndBoxOptions{.radius = 1.2, .bound = 0.3}, shape)}},
      shape);
  std::vector<Case> all;
  for (const auto& [kind, name, set] : made)
    if (set) all.push_back({name, set, kind == "nuclear_ball_and_box" ? 1e-10 : 1e-13});  // null: no constraint
  return all;
}

Vector normals(std::uint64_t seed, double scale) {
  Draws draws(seed, Purpose("constraint"));
  Vector result(d);
  for (double& entry : result) entry = scale * draws.normal();
  return result;
}

template <class Body>
void for_all(Body body) {
  for (const Case& one : all_constraints())
    for (const double scale : {1e-3, 0.3, 3.0, 50.0})
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        CAPTURE(one.name, scale, seed);
        body(one, normals(seed, scale), seed);
      }
}

}  // namespace

TEST_CASE("a projection is in its set, and projecting it again changes nothing") {
  for_all([](const Case& one, const Vector& u, std::uint64_t) {
    const Vector x = one.set->project(u);
    CHECK(one.set->excess(x) <= one.rounding);
    CHECK((one.set->project(x) - x).norm() <= one.rounding);
  });
}

TEST_CASE("a projection makes an obtuse angle with every feasible point, which only the nearest one does") {
  for_all([](const Case& one, const Vector& u, std::uint64_t seed) {
    const Vector x = one.set->project(u);
    for (const double scale : {0.1, 1.0, 100.0}) {
      const Vector other = one.set->project(normals(seed + 100, scale));
      // <u - x, other - x> <= 0 but for the error of x times |u| and the sizes of the sets.
      CHECK((u - x).dot(other - x) <= one.rounding * (1 + u.norm()));
    }
  });
}

TEST_CASE("points of a set and points that are not finite keep their bits") {
  for (const Case& one : all_constraints()) {
    CAPTURE(one.name);
    const Vector zero = Vector::Zero(d);
    CHECK(one.set->project(zero) == zero);
    if (one.set->excess(Vector::Constant(d, 1e-3)) <= 0)
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Vector inside = normals(seed, 1e-3);
        CHECK(one.set->project(inside) == inside);
      }
    Vector wild = normals(1, 1);
    wild[3] = std::numeric_limits<double>::infinity();
    CHECK(one.set->project(wild) == wild);
  }
}

TEST_CASE("a projection never expands a distance") {
  for_all([](const Case& one, const Vector& u, std::uint64_t seed) {
    const Vector other = normals(seed + 200, 1);
    CHECK((one.set->project(u) - one.set->project(other)).norm() <= (u - other).norm() + one.rounding);
  });
}

TEST_CASE("the support function is reached by a far projection, and bounds all others") {
  for_all([](const Case& one, const Vector& q, std::uint64_t seed) {
    const auto most = one.set->support(q);
    if (!most) return;
    // At P(t q) the product with q falls short of the support by at most |x|^2 / t, and |x| is at most 5.
    const double t = 1e6 / q.norm();
    const double reached = q.dot(one.set->project(t * q));
    CHECK(reached <= *most + 1e-8 * (1 + q.norm()));  // rounding of t q, divided by t
    CHECK(reached >= *most - 25 / t - 1e-8 * (1 + q.norm()));
    CHECK(q.dot(one.set->project(normals(seed + 300, 10))) <= *most + one.rounding * (1 + q.norm()));
  });
}

TEST_CASE("the reach bounds weighted absolute values of every point") {
  for_all([](const Case& one, const Vector& q, std::uint64_t seed) {
    const Vector weights = q.cwiseAbs();
    const auto most = one.set->reach(weights);
    REQUIRE(most);
    for (const double scale : {0.1, 1.0, 10.0, 1e6}) {
      const Vector x = one.set->project(scale * normals(seed + 400, 1).cwiseProduct(q)).cwiseAbs();
      CHECK(weights.dot(x) <= *most + one.rounding * (1 + q.norm()));
    }
  });
}

TEST_CASE("the linear gap is at least what any feasible point gains, and vanishes at a minimizer") {
  for_all([](const Case& one, const Vector& target, std::uint64_t seed) {
    const Vector theta = one.set->project(normals(seed + 400, 1));
    const Vector g = theta - target;  // of |theta - target|^2 / 2
    const auto gap = one.set->linear_gap(theta, g);
    REQUIRE(gap);
    for (const double scale : {0.1, 10.0}) {
      const Vector other = one.set->project(normals(seed + 500, scale));
      CHECK(g.dot(theta - other) <= *gap + one.rounding * (1 + g.norm()));
    }
    const Vector best = one.set->project(target);
    CHECK(std::abs(*one.set->linear_gap(best, best - target)) <= 100 * one.rounding * (1 + target.norm()));
  });
}

TEST_CASE("projections bill their flops") {
  const IterateShape square = IterateShape::matrix(8, 8);
  CHECK(make_constraint(L1BallOptions{.radius = 1}, square)->flops(64) == 64 * 6);
  CHECK(make_constraint(L1BallOptions{.radius = 1}, square)->flops(1) == 0);
  CHECK(make_constraint(L2BallOptions{.radius = 1}, square)->flops(64) == 64 * 3);
  CHECK(make_constraint(BoxOptions{.bound = 1}, square)->flops(64) == 64 * 2);
  CHECK(make_constraint(NuclearBallOptions{.radius = 1}, square)->flops(64) == 20 * 8 * 8 * 8);
  CHECK(make_constraint(NuclearBallAndBoxOptions{.radius = 1, .bound = 1}, square)->flops(64) ==
        20 * 512 + 64 * 2 + 6 * 64);
}

TEST_CASE("invalid sets are refused") {
  const IterateShape square = IterateShape::matrix(2, 2);
  CHECK_THROWS_WITH(make_constraint(L1BallOptions{.radius = -1}, square),
                    "l1_ball.radius: expected a finite number at least 0, found -1");
  CHECK_THROWS_WITH(make_constraint(BoxOptions{}, square), "box.bound: expected a finite number at least 0, found -1");
  CHECK_THROWS_WITH(make_constraint(NuclearBallOptions{.radius = 1}, IterateShape::vector(4)),
                    "rows: expected rows of a matrix, since these data have a vector of coefficients, found none");
  CHECK_THROWS_WITH(make_constraint(NuclearBallOptions{.radius = 1, .rows = 3}, IterateShape::vector(4)),
                    "rows: expected a divisor of 4, the number of coefficients, found 3");
}

}  // namespace lagnet::constraint_test
