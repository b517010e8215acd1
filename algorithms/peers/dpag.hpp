#pragma once

#include <optional>

#include "algorithms/peers/mixing_method.hpp"

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

struct DpagOptions {
  static constexpr std::string_view kind = "dpag";
  static constexpr std::string_view summary =
      "decentralized accelerated proximal gradient descent (Ye, Zhou, Luo, Zhang 2020)";
  static constexpr AlgorithmTraits traits = mixing_traits;
  CurvatureOptions curvature;
  std::optional<double> step, beta;
  MixingOptions mixing;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    CurvatureOptions::fields(self.curvature, field);
    field("step", self.step, "s, step size; by default 1/(2 L)", above(0));
    field("beta", self.beta, "q = (1 - beta) / (1 + beta) is the momentum; by default sqrt(mu / (8 L))",
          Limits{.low = 0, .high = 1, .low_excluded = true});
    MixingOptions::fields(self.mixing, field);
  }
  template <class Report>
  void check(Report& report) const {
    curvature.check(report);
    mixing.check(report);
  }
};

class Dpag final : public MixingMethod<DpagOptions> {
 public:
  Dpag(const DpagOptions& options, MethodInput input);
  std::vector<Constant> constants() const override { return with_mixing({{"step", step_}, {"beta", beta_}}); }
  std::vector<std::string> warnings() const override { return mixing_.semidefinite_warnings(); }

 private:
  Task<> run(Agent& me) const override;

  double step_ = 0, beta_ = 0;
};

}  // namespace lagnet
