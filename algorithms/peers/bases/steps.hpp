#pragma once

#include <optional>
#include <vector>

#include "algorithms/interface/curvature.hpp"

/// Step sizes of peers' methods: options, and what is in use where these leave something to the problem. They follow
/// from bounds 0 < mu <= L on the curvature of F or, in high dimensions, on its curvature in the directions that matter
/// (restricted constants).
namespace lagnet {

struct CurvatureOptions {
  std::optional<double> mu, L;
  static void fields(auto& self, auto& field) {
    field("mu", self.mu, "smallest curvature of F, or a restricted one; by default L/10", above(0));
    field("L", self.L, "largest curvature of F, or a restricted one; by default that of the loss times |X|^2 / N",
          above(0));
  }
  void check(auto& report) const {
    if (mu && L && *L < *mu) report("L", "at least mu", *L);
  }
};

/// A gradient step.
struct GradientStep {
  double s = 0;
  std::vector<Constant> constants() const { return {{"step", s}}; }
};
struct GradientStepOptions {
  std::optional<double> L, step;
  static void fields(auto& self, auto& field) {
    field("L", self.L, "largest curvature of F; by default that of the loss times |X|^2 / N", above(0));
    field("step", self.step, "s, step size; by default 1/(2 L)", above(0));
  }
  void check(auto&) const {}
  /// 0 in a timing-only run. Throws Diagnosed for a step that is not above 0, or where it is not given and L is not
  /// or data are all 0.
  GradientStep in_use(const MethodInput& given) const;
};

/// An accelerated method: 1/alpha is its gradient step, beta the momentum.
struct Acceleration {
  double alpha = 0, beta = 0;
  std::vector<Constant> constants() const { return {{"alpha", alpha}, {"beta", beta}}; }
};
struct AccelerationOptions {
  CurvatureOptions curvature;
  std::optional<double> alpha, beta;
  static void fields(auto& self, auto& field) {
    CurvatureOptions::fields(self.curvature, field);
    field("alpha", self.alpha, "1/alpha is the gradient step; by default 2 L", above(0));
    field("beta", self.beta, "momentum, the weight of v; by default sqrt(mu / (8 L))", above_to(0, 1));
  }
  void check(auto& report) const { curvature.check(report); }
  /// Zeros in a timing-only run. Throws Diagnosed unless alpha > 0 and 0 < beta <= 1, or where one of them is not
  /// given and 0 < mu <= L does not hold.
  Acceleration in_use(const MethodInput& given) const;
};

/// Nesterov's method with a gradient step and the momentum (1 - beta) / (1 + beta).
struct StepAndMomentum {
  double step = 0, beta = 0;
  std::vector<Constant> constants() const { return {{"step", step}, {"beta", beta}}; }
};
struct StepAndMomentumOptions {
  CurvatureOptions curvature = {};
  std::optional<double> step = {}, beta = {};
  static void fields(auto& self, auto& field) {
    CurvatureOptions::fields(self.curvature, field);
    field("step", self.step, "s, step size; by default 1/(2 L)", above(0));
    field("beta", self.beta, "q = (1 - beta) / (1 + beta) is the momentum; by default sqrt(mu / (8 L))",
          above_to(0, 1));
  }
  void check(auto& report) const { curvature.check(report); }
  /// As for AccelerationOptions.
  StepAndMomentum in_use(const MethodInput& given) const;
};

}  // namespace lagnet
