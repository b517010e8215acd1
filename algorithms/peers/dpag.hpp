#pragma once

#include <optional>

#include "algorithms/peers/bases/tracking_method.hpp"

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

struct DpagSteps : StepAndMomentum {
  std::vector<Constant> constants() const { return {{"step", step}, {"beta", beta}}; }
};
struct DpagStepOptions {
  CurvatureOptions curvature = {};
  std::optional<double> step = {}, beta = {};
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    CurvatureOptions::fields(self.curvature, field);
    field("step", self.step, "s, step size; by default 1/(2 L)", above(0));
    field("beta", self.beta, "q = (1 - beta) / (1 + beta) is the momentum; by default sqrt(mu / (8 L))",
          Limits{.low = 0, .high = 1, .low_excluded = true});
  }
  template <class Report>
  void check(Report& report) const {
    curvature.check(report);
  }
  DpagSteps in_use(const MethodInput& given) const {
    const auto by_default = [](double L) { return 1 / (2 * L); };
    return {step_and_momentum("step", step, beta, curvature, by_default, given)};
  }
};

struct DpagOptions : MixedSteps<DpagStepOptions> {
  static constexpr std::string_view kind = "dpag";
  static constexpr std::string_view summary =
      "decentralized accelerated proximal gradient descent (Ye, Zhou, Luo, Zhang 2020)";
};

class Dpag final : public TrackingMethod<DpagOptions> {
  using TrackingMethod::TrackingMethod;
  Task<> run(Agent& me) const override;
};

}  // namespace lagnet
