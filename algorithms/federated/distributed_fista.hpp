#pragma once

#include <array>

#include "algorithms/federated/distributed_proximal_gradient.hpp"

/// Accelerated proximal gradient descent (FISTA) whose gradient comes from clients.
///
///     minimize over w, in a set   F(w) = f(w) + r(w),   f(w) = sum_k pi_k L_k(w),   L_k the mean loss of client k's
///     n_k samples, pi_k = n_k / n
///
///     w_k = P(z_k - s sum_k pi_k grad L_k(z_k), s)                                                             (4.1)
///     z_{k+1} = w_k + beta_k (w_k - w_{k-1})                                                                   (4.3)
///
/// Growing momentum: beta_k = (t_k - 1) / t_{k+1}, t_1 = 1, t_{k+1} = (1 + sqrt(1 + 4 t_k^2)) / 2 (4.2); for s = 1/L
/// F(w_k) - F* <= 2 L |w_0 - w*|^2 / (k + 1)^2 (theorem 4.4). Constant momentum, for f and r that are mu- and
/// mu_r-strongly convex together: beta = (1 - sqrt q) / (1 + sqrt q), q = s (mu + mu_r) / (1 + s mu_r), with which
/// F(w_k) - F* falls like (1 - sqrt q)^k; mu_r is the weight of the regularizer's square. Needs s <= 1/L and, for
/// constant momentum, 0 < mu + mu_r and s mu <= 1. A round is one round trip, d numbers each way, and a gradient of all
/// n_k samples at each client. Sources: Beck, Teboulle, "A fast iterative shrinkage-thresholding algorithm for linear
/// inverse problems", SIAM J. Imaging Sciences 2, 2009, equations as numbered there; Beck, "First-order methods in
/// optimization" (2017), section 10.7.7 (mu_r = 0); Chambolle, Pock, "An introduction to continuous optimization for
/// imaging", Acta Numerica 25, 2016, algorithm 5 at its fixed point t = 1 / sqrt q.
namespace lagnet {

enum class Momentum { growing, constant };
constexpr auto spellings(Momentum) {
  return std::array{Spelling{Momentum::growing, "growing"}, Spelling{Momentum::constant, "constant"}};
}

struct DistributedFistaOptions : ServerStepOptions {
  static constexpr std::string_view kind = "distributed_fista";
  static constexpr std::string_view summary =
      "accelerated proximal gradient descent on the sum of clients' gradients (Beck, Teboulle 2009)";
  Momentum momentum = Momentum::growing;
  std::optional<double> mu = {};
  static void fields(auto& self, auto& field) {
    ServerStepOptions::fields(self, field);
    field("momentum", self.momentum, "growing, for any convex F, or constant, for a strongly convex one");
    field("mu", self.mu,
          "strong convexity of f, for constant momentum; null: 0, so that the regularizer must have a square",
          at_least(0));
  }
  void check(auto& report) const {
    if (mu && momentum == Momentum::growing) report("mu", "none with growing momentum", *mu);
  }
};

class DistributedFista final : public DistributedProximalGradient {
 public:
  /// Throws Diagnosed for constants out of their range, and for a problem that it cannot solve.
  DistributedFista(const DistributedFistaOptions& options, MethodInput given);
  std::optional<RateBound> rate_bound(const ErrorScale& scale) const override;

 private:
  Task<> serve(Agent& me) const override;

  std::optional<double> beta_;  // the constant one
  double q_ = 0;                // that it is of
};

}  // namespace lagnet
