#pragma once

#include <array>

#include "algorithms/peers/bases/mixing_method.hpp"

/// Decentralized gradient descent.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta) + r(theta), theta in a set
///
///     u_i <- momentum u_i + grad f_i(x_i),   alpha_t = alpha / t^decay                                      (1)
///     combine_then_adapt:  x_i <- P(sum_k w_ik x_k - alpha_t u_i, alpha_t)                                  (2)
///     adapt_then_combine:  x_i <- P(sum_k w_ik (x_k - alpha_t u_k), alpha_t)                                (3)
///
/// With a constant step (decay 0) below (1 + lambda_min(W)) / L it reaches a neighborhood of the optimum whose size is
/// of the order of alpha / (1 - rho); with 0 < decay <= 1 the optimum, slowly. Without P and with mu-strongly convex
/// f_i, (2) contracts by q = max(1 - alpha mu, alpha L - lambda_m(W)) to a point e away from the optimum: from
/// (I - W) x + alpha grad f(x) = 0 follows, with x - x* split by its mean,
///
///     alpha mu e^2 <= alpha |grad f(x*)| s - (1 - lambda_2) s^2 <= (alpha |grad f(x*)|)^2 / (4 (1 - lambda_2)),
///
/// s the distance of the agents from their mean: rate_bound(). Momentum has the fixed points of the
/// step alpha / (1 - momentum), so that it enlarges that neighborhood. With minibatches it is D-SGD. Where rounds weigh
/// what they hear (topology epidemic), adapt_then_combine is epidemic learning. Sources: A. Nedic, A. Ozdaglar,
/// "Distributed subgradient methods for multi-agent optimization", IEEE TAC 2009, equation (3); J. Zeng, W. Yin, "On
/// nonconvex decentralized gradient descent", IEEE TSP 2018 (Prox-DGD); X. Lian, C. Zhang, H. Zhang, C. Hsieh, W.
/// Zhang, J. Liu, "Can decentralized algorithms outperform centralized algorithms?", NeurIPS 2017 (D-SGD); H. Yu, R.
/// Jin, S. Yang, "On the linear speedup analysis of communication efficient momentum SGD", ICML 2019 (with momentum,
/// here of the form that mixes first).
namespace lagnet {

enum class DgdForm { combine_then_adapt, adapt_then_combine };
constexpr auto spellings(DgdForm) {
  return std::array{Spelling{DgdForm::combine_then_adapt, "combine_then_adapt"},
                    Spelling{DgdForm::adapt_then_combine, "adapt_then_combine"}};
}

struct DgdOptions : MixedStep {
  static constexpr AlgorithmTraits traits = with_single_rounds(mixing_traits, SingleRounds::any);
  static constexpr std::string_view kind = "dgd";
  static constexpr std::string_view summary = "decentralized gradient descent (Nedic, Ozdaglar 2009), proximal form";
  double decay = 0;
  DgdForm form = DgdForm::combine_then_adapt;
  DirectionOptions direction = {};
  /// Half of the largest that converges.
  double theory_step(const StepTheory& of) const { return direction.without_momentum() * (1 + of.lowest) / (2 * of.L); }
  static void fields(auto& self, auto& field) {
    declare_step(self, field);
    field("decay", self.decay, "the step of round t is alpha / t^decay", within(0, 1));
    field("form", self.form,
          "combine_then_adapt: mixed iterates take a step; adapt_then_combine: iterates that have taken it are mixed");
    MixingOptions::fields(self.mixing, field);
    DirectionOptions::fields(self.direction, field);
  }
};

class Dgd final : public MixingMethod<DgdOptions> {
  using MixingMethod::MixingMethod;
  Task<> run(Agent& me) const override;
  std::optional<RateBound> rate_bound(const ErrorScale& scale) const override;
  bool forgets_starts() const override { return true; }
};

}  // namespace lagnet
