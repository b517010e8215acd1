#pragma once

#include <utility>

#include "algorithms/peers/bases/mixing_method.hpp"

/// NIDS: network-independent steps.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta) + r(theta), theta in a set
///
///     z^{k+1} = z^k - x^k + (I + W)/2 (2 x^k - x^{k-1} - alpha (grad f(x^k) - grad f(x^{k-1})))
///     x^{k+1} = P(z^{k+1}),   from z^1 = x^0 - alpha grad f(x^0)
///
/// The first step needs no neighbors and is done before round 1: round k reports x^{k+1}. Converges for alpha < 2/L
/// whatever the network, L the largest curvature of any f_i. Without P and with mu-strongly convex f_i it is a primal
/// dual step with b^2 in (1 - W)/2, whose error
///
///     sum_i |x_i - x*|^2 + |u - u*|^2 in the norm of 1 - b^2,   b u* = -alpha grad f(x*),
///
/// shrinks by max(|1 - alpha mu|^2, |1 - alpha L|^2, (1 + lambda_2)/2) a round, lambda_2 the second largest eigenvalue
/// of W: rate_bound() (Alghunaim, Ryu, Yuan, Sayed, "Decentralized proximal gradient algorithms with linear convergence
/// rates", IEEE TAC 66, 2021). One mixing of K rounds a round. With minibatches it is D2
/// (H. Tang, X. Lian, M. Yan, C. Zhang, J. Liu, "D2: decentralized training over decentralized data", ICML 2018) with
/// (I + W)/2, and without P exact diffusion, both from x_i = -alpha grad f_i(0) in place of 0; momentum takes the place
/// of the gradient. No theory covers graphs in turn, where it was seen to converge. Source: Z. Li, W. Shi,
/// M. Yan, "A decentralized proximal-gradient method with network independent step-sizes and separated convergence
/// rates", IEEE TSP 2019, algorithm 1.
namespace lagnet {

struct NidsOptions : MixedStep {
  static constexpr std::string_view kind = "nids";
  static constexpr std::string_view summary = "NIDS, whose step does not depend on the network (Li, Shi, Yan 2019)";
  static constexpr AlgorithmTraits traits = with_single_rounds(mixing_traits, SingleRounds::doubly_stochastic);
  DirectionOptions direction = {};
  /// Half of the largest that converges.
  double theory_step(const StepTheory& of) const { return direction.without_momentum() / of.L; }
  static void fields(auto& self, auto& field) {
    MixedStep::fields(self, field);
    DirectionOptions::fields(self.direction, field);
  }
};

class Nids final : public MixingMethod<NidsOptions> {
 public:
  Nids(const NidsOptions& options, MethodInput input) : MixingMethod(options, std::move(input)) {
    remark_on_batch(options.direction.batch);
  }

 private:
  Task<> run(Agent& me) const override;
  std::optional<RateBound> rate_bound(const ErrorScale& scale) const override;
};

}  // namespace lagnet
