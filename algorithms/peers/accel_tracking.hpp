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
  bool lyapunov = false;
  static void fields(auto& self, auto& field) {
    MixedSteps::fields(self, field);
    field("lyapunov", self.lyapunov,
          "a column lyapunov: V of (24), which proposition 1 lets fall by 1 - beta a round but for errors; of problems "
          "without a regularizer");
  }
};

class AccelTracking final : public TrackingMethod<AccelTrackingOptions> {
 public:
  /// Throws Diagnosed for a regularizer beside `lyapunov`, and as TrackingMethod does.
  AccelTracking(const AccelTrackingOptions& options, MethodInput input);
  std::vector<Constant> constants() const override;
  /// The parts of an agent's report: theta, and v where `lyapunov` asks for it (d each).
  std::vector<Vector> first_report(AgentId agent) const override;
  std::vector<std::string> metric_names() const override;
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;

 private:
  Task<> run(Agent& me) const override;
  /// V of (24).
  double lyapunov(RoundReport report, const Vector& minimizer) const;
};

}  // namespace lagnet
