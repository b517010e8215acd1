#include "algorithms/peers/primal_dual_steps.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <optional>

namespace lagnet::primal_dual_steps_test {

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

TEST_CASE("the bound for a square root that is Lipschitz holds from 2 c iterations on") {
  const Theorem1Bound bound{.c = 3, .is_lipschitz = false};
  CHECK_FALSE(bound.excess(0, 0.5));
  CHECK_FALSE(bound.excess(5, 0.5));
  CHECK(bound.excess(6, 0.5) == 2 * (0.5 + 0.5) - 0.5);
  CHECK(bound.excess(12, 0.5) == Approx(1.5 * 0.75 - 0.5));
  CHECK_FALSE(bound.excess(12, std::nullopt));
}

}  // namespace lagnet::primal_dual_steps_test
