#pragma once

#include <optional>
#include <string_view>

#include "algorithms/peers/bases/mixing_method.hpp"
#include "algorithms/peers/compressed/difference_exchange.hpp"

/// LEAD, in the proximal form (Prox-LEAD).
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta) + r(theta)
///
///     Z  = X - eta grad f(X) - eta D                            (1)
///     q  = Q(Z - H)                       exchanged             (2)
///     Zh = H + q,   Zw = Hw + W q                               (3)
///     H += alpha q,   Hw += alpha (Zw - Hw)                     (4)
///     E  = Zh - Zw                                              (5)
///     D += gamma / (2 eta) E                                    (6)
///     X  = prox_{eta r}(Z - (gamma / 2) E)                      (7)
///
/// from X = prox_{eta r}(-eta grad f(0)), which needs no neighbors and is done before round 1, and D = H = Hw = 0; a
/// row of X is an agent's vector. With r = 0 line (7) is X - eta grad f(X) - eta D with the new D, the last line of
/// LEAD. D adds up to 0 over the agents, and Hw = W H. Linear convergence for strongly convex f_i, eta <= 1/L, an
/// unbiased Q with alpha <= 1/(1 + omega) and gamma as the papers say. The square of r is a part of every f_i, so that
/// r is its other part. Hw is never computed anew: its rounding feeds D, whose sum drifts by a few 1e-15 a round. With
/// the identity, gamma = 1 and r = 0 it is nids, round by round. Sources: X. Liu, Y. Li, R. Wang, J. Tang, M. Yan,
/// "Linear convergent decentralized optimization with compression", ICLR 2021, algorithm 1; Y. Li, X. Liu, J. Tang, M.
/// Yan, K. Yuan, "Decentralized composite optimization with compression", 2021.
namespace lagnet {

struct LeadOptions {
  static constexpr std::string_view kind = "lead";
  static constexpr std::string_view summary =
      "linear convergence with compressed differences, and a prox (Liu et al. 2021, Li et al. 2021)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_gossip = true,
                                          .takes_regularizers = Regularizers::all,
                                          .square = SquareStands::in_every_f,
                                          .takes_even_weights = true,
                                          .every_message = "lead sends differences that must arrive once",
                                          .timing_only = true};
  std::optional<double> step = {};  // eta
  double alpha = 0.5;
  double gamma = 1;
  CompressorOptions compressor = {};
  static void fields(auto& self, auto& field) {
    field("step", self.step, "eta, step size; theory: 1/L, L the largest curvature of any f_i",
          above(0).or_word("theory"));
    field("alpha", self.alpha, "how far H follows; theory: at most 1/(1 + omega)", above_to(0, 1));
    field("gamma", self.gamma, "step of the averaging; smaller the larger omega is", above_to(0, 1));
    CompressorOptions::declare(self, field);
  }
};

class Lead final : public ProximalMethod<LeadOptions> {
 public:
  Lead(const LeadOptions& options, MethodInput input);

 private:
  Task<> run(Agent& me) const override;

  const DifferenceExchange exchange_;
  double eta_ = 0;  // 0 in a timing-only run where theory gives it
};

}  // namespace lagnet
