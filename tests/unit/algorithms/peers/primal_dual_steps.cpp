#include "algorithms/peers/primal_dual_steps.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <optional>

#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "tests/unit/algorithms/central/problems.hpp"

namespace lagnet::primal_dual_steps_test {

namespace {

/// Least squares of labels that are 0 with X = 0, whose objective is the regularizer alone; two agents, of 1 and 2
/// features.
MethodInput two_agents(std::shared_ptr<const Regularizer> regularizer) {
  MethodInput given{.problem = testing::make_problem(Matrix::Zero(2, 3), Vector::Zero(2), make_loss(SquaredOptions{}),
                                                     std::move(regularizer)),
                    .feature_starts = {0, 1, 3}};
  given.network.agents = 2;
  return given;
}

}  // namespace

TEST_CASE("each agent's weights act on its block of features alone") {
  const MethodInput given = two_agents(make_regularizer(NoneOptions{}));
  const OwnRegularizers own({0.5, 2}, {0, 1}, given);
  CHECK(own.are_stated());
  CHECK(own.of(0).value(Vector{{-4}}) == 2);
  CHECK(own.of(1).value(Vector{{1, -2}}) == 2 * 3 + 5 / 2.0);
  CHECK(own.objective(Vector{{-4, 1, -2}}, given) == 2 + 8.5);
  CHECK(OwnRegularizers({}, {0, 1}, given).objective(Vector{{-4, 1, -2}}, given) == 2.5);
}

TEST_CASE("without weights all have the problem's regularizer") {
  const MethodInput given = two_agents(make_regularizer(L1Options{.weight = 3}));
  const OwnRegularizers none({}, {}, given);
  CHECK_FALSE(none.are_stated());
  CHECK(none.of(1).value(Vector{{1, -2}}) == 9);
  CHECK(none.objective(Vector{{-4, 1, -2}}, given) == 21);
}

TEST_CASE("weights that are not one for each agent are refused, and such beside the problem's regularizer") {
  const MethodInput none = two_agents(make_regularizer(NoneOptions{})),
                    l1 = two_agents(make_regularizer(L1Options{.weight = 3}));
  CHECK_THROWS_WITH(OwnRegularizers({1, 2, 3}, {}, none),
                    "l1_weights: expected 2 numbers, one for each agent, found 3");
  CHECK_THROWS_WITH(OwnRegularizers({}, {1}, none), "l2_weights: expected 2 numbers, one for each agent, found 1");
  CHECK_THROWS_WITH(
      OwnRegularizers({1, 2}, {}, l1),
      "l1_weights: expected an empty list, or a problem without a regularizer, found a problem that has one");
}

TEST_CASE("the network factor of a complete graph is that of the sheet") {
  const double chi = 173;
  for (const double m : {2.0, 64.0, 256.0})  // D = delta = m: (chi + m) sqrt(m + 2 chi^2 / m)
    CHECK(theorem1_network_factor(m, chi, m, m) == Approx((chi + m) * std::sqrt(m + 2 * chi * chi / m)));
  CHECK(theorem1_network_factor(1, chi, 0, std::numeric_limits<double>::infinity()) == chi);
}

TEST_CASE("the edge scale of theory makes the network factor least") {
  for (const auto& [chi, D, delta] : {std::array{173.0, 64.0, 64.0}, {173.0, 16.0, 1.0}, {2.0, 9.0, 0.01}}) {
    const double s = theorem1_edge_scale(chi, D, delta);
    const auto factor = [&](double scale) { return theorem1_network_factor(16, chi, scale * D, scale * delta); };
    for (const double other : {0.5, 0.99, 1.01, 2.0}) CHECK(factor(s) < factor(other * s));
  }
  // A star of 16: chi (2 / 16)^(1/3).
  CHECK(theorem1_edge_scale(173, 16, 1) == Approx(173.0 / 2));
}

TEST_CASE("the bound for a Lipschitz loss falls as one over T and needs no optimum") {
  const Theorem1Bound bound{.c = 3, .is_lipschitz = true};
  CHECK(bound.excess(4, std::nullopt) == 1.5);
  CHECK(bound.excess(8, 0.7) == 0.75);
  CHECK_FALSE(bound.excess(0, 0.7));
}

TEST_CASE("steps tuned for losses whose square root is Lipschitz make the bound least") {
  for (const double optimum : {0.02, 0.5, 3.0}) {
    const auto bound = [&](double f) {
      return *Theorem1Bound{.c = 3, .is_lipschitz = false, .f = f}.excess(1e6, optimum);
    };
    const double f = sqrt_lipschitz_factor(optimum);
    for (const double other : {0.5, 0.9, 1.1, 2.0}) CHECK(bound(f) < bound(other * f));
  }
  CHECK(sqrt_lipschitz_factor(0.5) == 1);  // the steps of Theorem 1 are the best ones for an optimum of 1/2
  CHECK(Theorem1Bound{.c = 3, .f = 2}.excess(4, std::nullopt) == 3 * 2.5 / 4);
}

TEST_CASE("the bound for a square root that is Lipschitz holds from 2 c iterations on") {
  const Theorem1Bound bound{.c = 3, .is_lipschitz = false};
  CHECK_FALSE(bound.excess(0, 0.5));
  CHECK_FALSE(bound.excess(5, 0.5));
  CHECK(bound.excess(6, 0.5) == 2 * (0.5 + 0.5) - 0.5);
  CHECK(bound.excess(12, 0.5) == Approx(1.5 * 0.75 - 0.5));
  CHECK_FALSE(bound.excess(12, std::nullopt));
}

}  // namespace lagnet::primal_dual_steps_test
