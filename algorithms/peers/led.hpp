#pragma once

#include "algorithms/peers/bases/local_gradients.hpp"
#include "algorithms/peers/bases/mixing_method.hpp"

/// LED: exact diffusion with K local steps.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta)
///
///     K times   v <- v - alpha grad f(v) - beta y    from v = x                     (1)
///     x_new = Wl v,   Wl = (I + W) / 2, or W where it is not lazy                   (2)
///     y <- y + v - x_new,   x <- x_new,   from x = y = 0                            (3)
///
/// The sum of the y_i stays 0. The limit is exact with a constant step. With K = beta = 1 it is exact diffusion, which
/// is D2: NIDS without a prox, from another start. beta = 1 diverges for large K; 1 / K does not. Wl's eigenvalues must
/// be above -1/3. Theory's step is 1 / (K L). On graphs in turn, for which there is no theory, it has converged with
/// the lazy matrix. Source: S. A. Alghunaim, "Local exact-diffusion for decentralized optimization and learning", 2023,
/// algorithm 1.
namespace lagnet {

struct LedOptions : MixedStep {
  static constexpr std::string_view kind = "led";
  static constexpr std::string_view summary = "LED, exact diffusion (D2) with local steps (Alghunaim 2023)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_gossip = true,
                                          .takes_regularizers = Regularizers::smooth,
                                          .takes_even_weights = true,
                                          .every_message = "led's y must add up",
                                          .takes_sequence = true,
                                          .takes_single_rounds = SingleRounds::doubly_stochastic,
                                          .timing_only = true};
  LocalGradientOptions local = {};
  std::optional<double> beta = {};
  bool lazy = true;
  double beta_in_use() const { return beta.value_or(1 / local.K()); }
  double theory_step(const StepTheory& of) const { return 1 / (local.K() * of.L); }
  static void fields(auto& self, auto& field) {
    declare_step(self, field);
    LocalGradientOptions::fields(self.local, field);
    field("beta", self.beta, "weight of y in a local step; by default 1 / K", above_to(0, 1));
    field("lazy", self.lazy,
          "true: mixes with (I + W) / 2; false: with W, whose eigenvalues must be above -1/3, better not negative");
  }
};

class Led final : public MixingMethod<LedOptions> {
 public:
  /// Throws Diagnosed for a W that is not lazy and has an eigenvalue of -1/3 or less, or changes.
  Led(const LedOptions& options, MethodInput input);
  std::vector<Constant> constants() const override;

 private:
  Task<> run(Agent& me) const override;
};

}  // namespace lagnet
