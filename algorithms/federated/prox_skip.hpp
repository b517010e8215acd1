#pragma once

#include <optional>
#include <string_view>

#include "algorithms/federated/bases/composite.hpp"

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
  AlgorithmTraits traits() const {
    const bool knows_p = p || (mu && L);
    return {.server = true,
            .partition_by = PartitionBy::samples,
            .takes_regularizers = Regularizers::all,
            .square = SquareStands::in_every_f,
            .every_message = "the h_k must add up",
            .timing_only = knows_p,
            .timing_needs = knows_p ? std::string_view() : "p, or mu and L",
            .draws_work = true};
  }
  std::optional<double> step = {}, p = {}, mu = {}, L = {};
  static void fields(auto& self, auto& field) {
    field("step", self.step, "s, step size of the local steps; null: 1/L", above(0));
    field("p", self.p,
          "probability that a local step is the last one of its round, whose mean number of steps is 1/p; null: 1 / "
          "sqrt(kappa), kappa = L/mu",
          above_to(0, 1));
    declare_curvature_of_parts(self, field);
  }
  void check(auto& report) const {
    if (p && *p > 0 && *p < least_p) report("p", "at least 1e-6, which makes a million local steps a round", *p);
    check_curvature_of_parts(*this, report);
  }
  static constexpr double least_p = 1e-6;
};

class ProxSkip : public CompositeMethod {
 public:
  /// Throws Diagnosed for a loss with kinks, a constraint, mu above L, and a mu of 0 where p follows from it.
  ProxSkip(const ProxSkipOptions& options, MethodInput given);

 protected:
  /// T of a round.
  virtual Index local_steps(const Agent& me, Round round) const;

 private:
  Task<> serve(Agent& me) const override;  // reports w
  Task<> train(Agent& me) const override;

  double s_ = 0;  // without numbers not known
  double p_ = 1;
};

}  // namespace lagnet
