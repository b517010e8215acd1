#pragma once

#include "algorithms/peers/bases/mixing_method.hpp"

/// Accelerated gradient tracking under a constraint.
///
///     minimize over theta in a set   F(theta) = (1/m) sum_i f_i(theta)
///
/// Agents hold samples; each tracks the mean of all gradients while all run Nesterov's accelerated method in the form
/// with two sequences theta and v, both feasible at all times. Two mixings of K rounds in an iteration. Converges
/// linearly, to an error below the statistical one, when alpha = 2 L, beta = sqrt(mu / (8 L)), mu and L restricted
/// constants, W^K is positive semidefinite and rho^K is small (Theorem 3). A regularizer with a prox may replace the
/// constraint. Source: M. Maros, G. Scutari, "Acceleration in Distributed Sparse Regression", NeurIPS 2022; equation
/// numbers are those of its appendix, whose stacked (23c)-(23d) are written here for one agent.
namespace lagnet {

struct AccelTrackingOptions : MixedSteps<AccelerationOptions> {
  static constexpr std::string_view kind = "accel_tracking";
  static constexpr std::string_view summary = "accelerated gradient tracking on samples (Maros, Scutari 2022)";
};

class AccelTracking final : public TrackingMethod<AccelTrackingOptions> {
 public:
  using TrackingMethod::TrackingMethod;
  std::vector<Constant> constants() const override;

 private:
  Task<> run(Agent& me) const override;
};

}  // namespace lagnet
