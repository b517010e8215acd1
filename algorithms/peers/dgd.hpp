#pragma once

#include "algorithms/peers/bases/mixing_method.hpp"

/// Decentralized gradient descent.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta) + r(theta), theta in a set
///
///     x_i <- P(sum_k w_ik x_k - alpha_t grad f_i(x_i), alpha_t),   alpha_t = alpha / t^decay                (3)
///
/// With a constant step (decay 0) below (1 + lambda_min(W)) / L it reaches a neighborhood of the optimum whose size is
/// of the order of alpha / (1 - rho); with 0 < decay <= 1 the optimum, slowly. Sources: A. Nedic, A. Ozdaglar,
/// "Distributed subgradient methods for multi-agent optimization", IEEE TAC 2009, equation (3); J. Zeng, W. Yin, "On
/// nonconvex decentralized gradient descent", IEEE TSP 2018 (Prox-DGD).
namespace lagnet {

struct DgdOptions : MixedStep {
  static constexpr std::string_view kind = "dgd";
  static constexpr std::string_view summary = "decentralized gradient descent (Nedic, Ozdaglar 2009), proximal form";
  double decay = 0;
  /// Half of the largest that converges.
  double theory_step(const StepTheory& of) const { return (1 + of.lowest) / (2 * of.L); }
  static void fields(auto& self, auto& field) {
    declare_step(self, field);
    field("decay", self.decay, "the step of round t is alpha / t^decay", within(0, 1));
    MixingOptions::fields(self.mixing, field);
  }
};

class Dgd final : public MixingMethod<DgdOptions> {
  using MixingMethod::MixingMethod;
  Task<> run(Agent& me) const override;
  bool forgets_starts() const override { return true; }
};

}  // namespace lagnet
