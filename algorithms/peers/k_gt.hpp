#pragma once

#include <utility>

#include "algorithms/peers/bases/local_gradients.hpp"
#include "algorithms/peers/bases/mixing_method.hpp"

/// K-GT: gradient tracking with K local steps.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta)
///
///     K times   v <- v - alpha (grad f(v) + c)    from v = x,   z = (x - v) / (K alpha)       (1)
///     sent in one message:  x - K alpha eta_s z   and   z                                     (2)
///     c <- c + W z - z,   x <- W (x - K alpha eta_s z),   from x = c = 0                      (3)
///
/// c_i is the mean of all agents' directions less the own one, so the sum of the c_i stays 0. The limit is exact with a
/// constant step. With K = 1 it is gradient tracking that adapts first, x <- W (x - alpha eta_s y), y <- W y + grad
/// f(x_new) - grad f(x). Theory's step is that of gradient tracking's form diging divided by K eta_s; the source's is
/// of the order of (1 - rho)^2 / (K L). On graphs in turn every W^t is doubly stochastic. Source: Y. Liu, T. Lin, A.
/// Koloskova, S. U. Stich, "Decentralized gradient tracking with local steps", 2023, algorithm 1, with c = 0 at the
/// start, as its authors' code has it.
namespace lagnet {

struct KGtOptions : MixedStep {
  static constexpr std::string_view kind = "k_gt";
  static constexpr std::string_view summary = "K-GT, gradient tracking with local steps (Liu et al. 2023)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_gossip = true,
                                          .takes_regularizers = Regularizers::smooth,
                                          .takes_even_weights = true,
                                          .every_message = "k_gt's c must add up",
                                          .takes_sequence = true,
                                          .takes_single_rounds = SingleRounds::doubly_stochastic,
                                          .timing_only = true};
  LocalGradientOptions local = {};
  double server_step = 1;  // eta_s
  double theory_step(const StepTheory& of) const {
    return (1 + of.lowest) * (1 + of.lowest) / (4 * of.L * local.K() * server_step);
  }
  static void fields(auto& self, auto& field) {
    declare_step(self, field);
    LocalGradientOptions::fields(self.local, field);
    field("server_step", self.server_step, "eta_s, factor on the K local steps together", above(0));
    MixingOptions::fields(self.mixing, field);
  }
};

class KGt final : public MixingMethod<KGtOptions> {
 public:
  KGt(const KGtOptions& options, MethodInput input) : MixingMethod(options, std::move(input)) {
    remark_on_batch(options.local.batch);
  }

 private:
  Task<> run(Agent& me) const override;
};

}  // namespace lagnet
