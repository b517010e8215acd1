#pragma once

#include <optional>

#include "algorithms/peers/mixing_method.hpp"

/// Projected gradient descent with gradient tracking, adapt then combine.
///
///     minimize over theta in a set   F(theta) = (1/m) sum_i f_i(theta)
///
///     theta <- W^K P(theta - s y),   y <- W^K (y + grad f(theta_new) - grad f(theta)),   from theta = 0, y = grad f(0)
///
/// Agents hold samples; each takes a projected step along its estimate of the mean gradient, and both the iterates and
/// the estimates are mixed, K rounds each. Linear convergence up to statistical accuracy for s about 1/(2 L) and rho^K
/// small. A regularizer with a prox may stand in for the constraint. Source: Y. Sun, M. Maros, G. Scutari, G. Cheng,
/// "High-dimensional inference over networks: linear convergence and statistical guarantees", 2022 (NetLASSO).
namespace lagnet {

struct NetLassoOptions {
  static constexpr std::string_view kind = "netlasso";
  static constexpr std::string_view summary =
      "projected gradient descent with gradient tracking (Sun, Maros, Scutari, Cheng 2022)";
  static constexpr AlgorithmTraits traits = mixing_traits;
  std::optional<double> L, step;
  MixingOptions mixing;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("L", self.L, "largest curvature of F; by default that of the loss times |X|^2 / N", above(0));
    field("step", self.step, "s, step size; by default 1/(2 L)", above(0));
    MixingOptions::fields(self.mixing, field);
  }
  template <class Report>
  void check(Report& report) const {
    mixing.check(report);
  }
};

class NetLasso final : public MixingMethod<NetLassoOptions> {
 public:
  NetLasso(const NetLassoOptions& options, MethodInput input)
      : MixingMethod(options, std::move(input)), s_(gradient_step(options.step, options.L, given())) {}
  std::vector<Constant> constants() const override { return with_mixing({{"step", s_}}); }
  std::vector<std::string> warnings() const override { return mixing_.semidefinite_warnings(); }

 private:
  Task<> run(Agent& me) const override;

  double s_;
};

}  // namespace lagnet
