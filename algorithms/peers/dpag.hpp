#pragma once

#include "algorithms/peers/bases/mixing_method.hpp"

/// Decentralized accelerated proximal gradient descent.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta) + r(theta), theta in a set
///
/// Agents hold samples; Nesterov's method with a gradient that tracks the mean, and three mixings of K rounds in an
/// iteration. The points u where gradients are taken may be infeasible, which is why it stalls in high dimensions where
/// accel_tracking does not. Linear convergence for strongly convex F with step <= 1/L, q = (1 - beta) / (1 + beta), and
/// rho^K small. Source: H. Ye, Z. Zhou, L. Luo, T. Zhang, "Decentralized Accelerated Proximal Gradient Descent",
/// NeurIPS 2020, with K plain rounds of gossip in the place of their Chebyshev mixing.
namespace lagnet {

struct DpagOptions : MixedSteps<StepAndMomentumOptions> {
  static constexpr std::string_view kind = "dpag";
  static constexpr std::string_view summary =
      "decentralized accelerated proximal gradient descent (Ye, Zhou, Luo, Zhang 2020)";
};

class Dpag final : public TrackingMethod<DpagOptions> {
  using TrackingMethod::TrackingMethod;
  Task<> run(Agent& me) const override;
};

}  // namespace lagnet
