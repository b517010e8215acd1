#pragma once

#include <optional>
#include <string_view>

#include "algorithms/federated/compressed/compressed_method.hpp"

/// DIANA: gradient descent from compressed differences between gradients and shifts that learn them.
///
///     minimize over w   F(w) = f(w) + r(w),   f(w) = sum_k pi_k f_k(w),   f_k(w) = L_k(w) + (b/2) |w|^2,   L_k the
///     mean loss of client k's n_k samples, pi_k = n_k / n, r the regularizer without its square
///
/// Client k keeps a shift h_k, the server their mean h = sum_k pi_k h_k; all start at 0. Q is an unbiased compressor.
///
///     q_k = Q(grad f_k(x) - h_k),   h_k <- h_k + alpha q_k                                     at client k      (1)
///     q = sum_k pi_k q_k,   v <- momentum v + h + q,   h <- h + alpha q,   v with the old h    at the server    (2)
///     x <- prox of s r at x - s v                                                                               (3)
///
/// Where the f_k are strongly convex x converges linearly to the minimizer, however the clients differ: shifts become
/// the gradients there, and what is compressed goes to 0. Needs alpha <= 1/(1 + omega) and, without momentum, s <=
/// 1/(L (1 + 6 omega / m)), L the largest curvature of any of the m clients' f_k; both are the defaults. With shifts
/// that stay at 0, alpha near 0, it is compressed gradient descent, which comes only near the minimizer. A round is one
/// round trip, d numbers down and one encoding up. Source: Mishchenko, Gorbunov, Takac, Richtarik, "Distributed
/// learning with compressed gradient differences", 2019, Algorithm 1.
namespace lagnet {

struct DianaOptions {
  static constexpr std::string_view kind = "diana";
  static constexpr std::string_view summary =
      "gradient descent from compressed gradient differences, DIANA (Mishchenko et al. 2019)";
  static constexpr AlgorithmTraits traits =
      compressed_server_traits(Regularizers::all, "diana sends differences that must arrive once");
  CompressorOptions compressor = {};
  std::optional<double> step = {}, alpha = {};
  double momentum = 0;
  std::optional<double> L = {};
  static void fields(auto& self, auto& field) {
    CompressorOptions::declare(self, field);
    field("step", self.step,
          "s, step size; null or theory: 1 / (L (1 + 6 omega / m)), omega the compressor's variance, m clients",
          above(0).or_word("theory"));
    field("alpha", self.alpha, "how fast shifts learn; null or theory: 1 / (1 + omega)",
          above_to(0, 1).or_word("theory"));
    field("momentum", self.momentum, "weight of the last direction in the next one",
          Limits{.low = 0, .high = 1, .high_excluded = true});
    declare_largest_curvature_of_parts(self, field);
  }
};

class Diana final : public CompressedMethod {
 public:
  /// Throws Diagnosed for a loss with kinks, a constraint, and a compressor that is biased by more than rounding.
  Diana(const DianaOptions& options, MethodInput given);

 private:
  Task<> serve(Agent& me) const override;  // reports x and h (d each)
  Task<> train(Agent& me) const override;

  double s_ = 0;  // without numbers not known
  double alpha_ = 1, momentum_;
};

}  // namespace lagnet
