#pragma once

#include "algorithms/peers/bases/mixing_method.hpp"

/// EXTRA, and PG-EXTRA where there is a regularizer or a set: decentralized gradient descent whose fixed point is
/// exact.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta) + r(theta), theta in a set
///
///     s^{k+1} = s^k + W x^k - (x^{k-1} + W x^{k-1}) / 2 - alpha (grad f(x^k) - grad f(x^{k-1}))      (2.13)
///     x^{k+1} = P(s^{k+1}),   from s^1 = W x^0 - alpha grad f(x^0)
///
/// Converges for alpha < (1 + lambda_min(W)) / L, L the largest curvature of any f_i. One mixing of K rounds a round.
/// Sources: W. Shi, Q. Ling, G. Wu, W. Yin, "EXTRA: an exact first-order algorithm for decentralized consensus
/// optimization", SIAM J. Optim. 2015, and "A proximal gradient algorithm for decentralized composite optimization",
/// IEEE TSP 2015, algorithm 1, with W~ = (I + W) / 2.
namespace lagnet {

struct ExtraOptions : MixedStep {
  static constexpr std::string_view kind = "extra";
  static constexpr std::string_view summary = "EXTRA and PG-EXTRA (Shi, Ling, Wu, Yin 2015)";
  /// Half of the largest that converges.
  double theory_step(const StepTheory& of) const { return (1 + of.lowest) / (2 * of.L); }
};

class Extra final : public MixingMethod<ExtraOptions> {
  using MixingMethod::MixingMethod;
  Task<> run(Agent& me) const override;
};

}  // namespace lagnet
