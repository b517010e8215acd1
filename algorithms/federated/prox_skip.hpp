#pragma once

#include <optional>
#include <string_view>

#include "algorithms/federated/bases/coin_method.hpp"

/// ProxSkip; without a regularizer Scaffnew, local gradient steps that are corrected by shifts.
///
///     minimize over w   F(w) = f(w) + r(w),   f(w) = sum_k pi_k f_k(w),   f_k(w) = L_k(w) + (b/2) |w|^2,   L_k the
///     mean loss of client k's n_k samples, pi_k = n_k / n, r the regularizer without its square
///
/// Client k keeps x_k and a shift h_k, which converges to grad f_k at the minimizer; h_k = 0 at first. A round is what
/// lies between two communications: T steps, T the same for all, the number of throws until a coin shows heads, which
/// it does with probability p. All clients know it without a message, from the shared seed.
///
///     T times: x_k <- x_k - s (grad f_k(x_k) - h_k)                                                             (1)
///     z_k = x_k - (s/p) h_k                                                                                     (2)
///     w = prox of (s/p) r at sum_k pi_k z_k, at the server                                                      (3)
///     h_k <- h_k + (p/s) (w - x_k),   x_k <- w, when w comes, with the request of the next round                (4)
///
/// For s <= 1/L and mu-strongly convex f_k the distance to the minimizer falls as by a factor of 1 - min(s mu, p^2) a
/// local step, in expectation; with p = 1/sqrt(kappa), kappa = L/mu, communications of the order sqrt(kappa) do what
/// takes gradient descent kappa. L and mu are those of every f_k. p = 1 is distributed_proximal_gradient. Without r,
/// sum_k pi_k h_k = 0 at all times, so no client may be missing. A round is one round trip, d numbers each way. Source:
/// Mishchenko, Malinovsky, Stich, Richtarik, "ProxSkip: yes! Local gradient steps provably lead to communication
/// acceleration! Finally!", ICML 2022, Algorithms 1 and 2.
namespace lagnet {

struct ProxSkipOptions {
  static constexpr std::string_view kind = "prox_skip";
  static constexpr std::string_view summary =
      "local gradient steps with shifts, ProxSkip or Scaffnew (Mishchenko et al. 2022)";
  AlgorithmTraits traits() const { return coin_traits(*this, Regularizers::all, "the h_k must add up"); }
  std::optional<double> step = {}, p = {}, mu = {}, L = {};
  static void fields(auto& self, auto& field) {
    declare_coin(self, field,
                 "probability that a local step is the last one of its round, whose mean number of steps is 1/p; null: "
                 "1 / sqrt(kappa), kappa = L/mu");
  }
  void check(auto& report) const { check_coin(*this, report); }
};

class ProxSkip : public CoinMethod {
 public:
  /// Throws Diagnosed for a loss with kinks, a constraint, mu above L, and a mu of 0 where p follows from it.
  ProxSkip(const ProxSkipOptions& options, MethodInput given);

 private:
  Task<> serve(Agent& me) const override;  // reports w
  Task<> train(Agent& me) const override;
};

}  // namespace lagnet
