#pragma once

#include <optional>
#include <string_view>

#include "algorithms/federated/compressed/estimate_method.hpp"

/// MARINA: gradient descent along an estimate that compressed differences of gradients move, and full gradients renew.
///
///     minimize over w   F(w) = sum_k pi_k f_k(w),   f_k(w) = L_k(w) + (b/2) |w|^2,   L_k the mean loss of client k's
///     n_k samples, pi_k = n_k / n
///
/// Round 1 is full, and each later one with probability p; all know it without a message, from the shared seed. Q is an
/// unbiased compressor, x_old the model of the round before.
///
///     q_k = grad f_k(x)                              at client k, in a full round                               (1)
///     q_k = Q(grad f_k(x) - grad f_k(x_old))         at client k, in others                                     (2)
///     g = sum_k pi_k q_k  or  g <- g + sum_k pi_k q_k,   x <- x - s g       at the server                       (3)
///
/// A client keeps its last gradient, so that a round takes one. Where f is strongly convex x converges linearly to the
/// minimizer, however the clients differ. Needs, in theory, s <= 1/(L~ (1 + sqrt((1-p) omega / (p m)))), the default,
/// for m clients: L~^2 = sum_k pi_k L_k^2, L_k the curvature of f_k. A round is one round trip, d numbers down and one
/// encoding up, or d numbers in a full round. With the identity it is gradient descent. Source: Gorbunov, Burlachenko,
/// Li, Richtarik, "MARINA: faster non-convex distributed learning with compression", ICML 2021, Algorithm 1.
namespace lagnet {

struct MarinaOptions {
  static constexpr std::string_view kind = "marina";
  static constexpr std::string_view summary =
      "gradient descent from compressed gradient differences and, at times, full gradients, MARINA (Gorbunov et al. "
      "2021)";
  static constexpr AlgorithmTraits traits =
      with_drawn_work(compressed_server_traits(Regularizers::smooth, "marina sends differences that must arrive once"));
  CompressorOptions compressor = {};
  std::optional<double> step = {}, p = {}, L = {};
  static void fields(auto& self, auto& field) {
    CompressorOptions::declare(self, field);
    field("step", self.step,
          "s, step size; null or theory: 1/(L (1 + sqrt((1-p) omega / (p m)))), omega the compressor's variance, m "
          "clients",
          above(0).or_word("theory"));
    field("p", self.p, "probability of a full round after the first; null: 1 / (1 + omega)", above_to(0, 1));
    field("L", self.L, "root of the weighted mean of the clients' squared curvatures; null: from the data", above(0));
  }
};

class Marina : public EstimateMethod {
 public:
  /// Throws Diagnosed for a loss with kinks, a constraint, a regularizer other than l2, and a compressor that is biased
  /// by more than rounding.
  Marina(const MarinaOptions& options, MethodInput given);

 protected:
  bool is_full(const Agent& me, Round t) const override;
  double p() const { return p_; }

 private:
  Task<> train(Agent& me) const override;

  double p_;
};

}  // namespace lagnet
