#pragma once

#include "algorithms/peers/bases/mixing_method.hpp"

/// Projected gradient descent with gradient tracking, adapt then combine.
///
///     minimize over theta in a set   F(theta) = (1/m) sum_i f_i(theta)
///
///     theta <- W^K P(theta - s y),   y <- W^K (y + grad f(theta_new) - grad f(theta)),   from theta = 0, y = grad f(0)
///
/// Agents hold samples; each takes a projected step along its estimate of the mean gradient, and both the iterates and
/// the estimates are mixed, K rounds each. Linear convergence up to statistical accuracy for s about 1/(2 L) and rho^K
/// small. A regularizer with a prox may replace the constraint. Source: Y. Sun, M. Maros, G. Scutari, G. Cheng,
/// "High-dimensional inference over networks: linear convergence and statistical guarantees", 2022 (NetLASSO).
namespace lagnet {

struct NetLassoOptions : MixedSteps<GradientStepOptions> {
  static constexpr std::string_view kind = "netlasso";
  static constexpr std::string_view summary =
      "projected gradient descent with gradient tracking (Sun, Maros, Scutari, Cheng 2022)";
};

class NetLasso final : public TrackingMethod<NetLassoOptions> {
  using TrackingMethod::TrackingMethod;
  Task<> run(Agent& me) const override;
};

}  // namespace lagnet
