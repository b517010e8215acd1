#include "algorithms/central/proximal.hpp"

#include <catch2/catch.hpp>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/sets/sets.hpp"
#include "tests/unit/algorithms/central/problems.hpp"

namespace lagnet::testing::proximal_test {

namespace {

std::vector<std::shared_ptr<const Constraint>> all_constraints() {
  const IterateShape shape = IterateShape::matrix(3, 3);
  return {make_constraint(L1BallOptions{.radius = 1.5}, shape), make_constraint(L2BallOptions{.radius = 0.7}, shape),
          make_constraint(BoxOptions{.bound = 0.4}, shape), make_constraint(NuclearBallOptions{.radius = 1.2}, shape),
          make_constraint(NuclearBallAndBoxOptions{.radius = 1.2, .bound = 0.3}, shape)};
}

Problem constrained(const Matrix& x, const Vector& y, std::shared_ptr<const Constraint> set) {
  Problem problem = make_problem(x, y, make_loss(SquaredOptions{}), make_regularizer(NoneOptions{}));
  problem.constraint = std::move(set);
  return problem;
}

}  // namespace

using namespace lagnet::testing;

TEST_CASE("with X = I the constrained optimum is the projection of the labels, and certified") {
  const Vector y = normal_matrix(9, 1, 3).col(0);
  for (const auto& set : all_constraints()) {
    const Optimum optimum = solve_centrally(constrained(Matrix::Identity(9, 9), y, set));
    CHECK(optimum.certified());
    CHECK(optimum.certificate.kind == CertificateKind::duality_gap);
    // The gap bounds |theta - theta*|^2 / (2 n), relative to F(0) of about 0.5; Dykstra stops at 1e-13.
    CHECK((optimum.theta - set->project(y)).norm() < 1e-5);
    CHECK(optimum.value == Approx((set->project(y) - y).squaredNorm() / 18).epsilon(1e-10));
  }
}

TEST_CASE("a certificate in a set bounds rounding errors") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Vector y = normal_matrix(9, 1, seed).col(0);
    const auto set = make_constraint(BoxOptions{.bound = 0.5}, IterateShape::vector(9));
    const Problem problem = constrained(Matrix::Identity(9, 9), y, set);
    const Optimum optimum = solve_centrally(problem);
    REQUIRE(optimum.certified());
    long double least = 0;  // F*: each entry of y, clamped exactly
    for (const double entry : y) {
      const long double off = std::max(std::abs(static_cast<long double>(entry)) - 0.5L, 0.0L);
      least += off * off / 18;
    }
    const double bound = optimum.certificate.relative * problem.objective(Vector::Zero(9));
    CAPTURE(seed, optimum.value, optimum.certificate.relative);
    CHECK(static_cast<long double>(optimum.value) - least <= bound);
  }
}

TEST_CASE("no feasible point is better than a certified optimum by more than its certificate says") {
  const Matrix x = normal_matrix(20, 9, 4);
  for (const auto& set : all_constraints()) {
    const Problem problem = constrained(x, noisy_labels(x, 4), set);
    const Optimum optimum = solve_centrally(problem);
    REQUIRE(optimum.certified());
    CHECK(set->excess(optimum.theta) <= 1e-12);  // the rounding of a projection, or Dykstra's
    const double allowed = optimum.certificate.relative * problem.objective(Vector::Zero(9)) + 1e-14;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      for (const double scale : {1e-4, 1e-2, 1.0}) {
        const Vector other = set->project(optimum.theta + scale * normal_matrix(9, 1, seed).col(0));
        CHECK(problem.objective(other) >= optimum.value - allowed);
      }
  }
}

TEST_CASE("more columns than rows, a loose set and a radius of 0 have optima, too") {
  const Matrix x = normal_matrix(10, 30, 6);
  const Vector y = noisy_labels(x, 6);
  const auto ball = [](double R) { return make_constraint(L1BallOptions{.radius = R}, IterateShape::vector(30)); };
  CHECK(solve_centrally(constrained(x, y, ball(2))).certified());
  const Optimum loose = solve_centrally(constrained(x, y, ball(1e9)));
  CHECK(loose.certified());
  CHECK(loose.value < 1e-10);  // 30 coefficients fit 10 labels
  const Optimum none = solve_centrally(constrained(x, y, ball(0)));
  CHECK(none.certified());
  CHECK(none.theta == Vector::Zero(30));
}

TEST_CASE("problems without a solver get no certificate") {
  const Matrix x = normal_matrix(10, 9, 7);
  Problem problem = constrained(x, noisy_labels(x, 7), all_constraints()[0]);
  problem.regularizer = make_regularizer(L1Options{.weight = 0.1});
  CHECK(solve_centrally(problem).certificate.kind == CertificateKind::none);
  problem.regularizer = make_regularizer(NoneOptions{});
  problem.loss = make_loss(AbsoluteOptions{});
  CHECK_FALSE(solve_centrally(problem).certified());
  struct Opaque final : Constraint {
    double excess(VectorRef) const override { return 0; }
    Vector project(VectorRef u) const override { return u; }
    Flops flops(Index) const override { return 0; }
  };
  problem.loss = make_loss(SquaredOptions{});
  problem.constraint = std::make_shared<const Opaque>();
  const Optimum unknown = solve_constrained(problem);
  // The set holds everything, so that the optimum without it serves.
  CHECK(unknown.certified());
  CHECK(unknown.certificate.kind == CertificateKind::duality_gap);
}

}  // namespace lagnet::testing::proximal_test
