#pragma once

#include <optional>
#include <string_view>

#include "algorithms/federated/compressed/estimate_method.hpp"

/// DASHA: gradient descent along an estimate that compressed differences of gradients move, with momentum that takes
/// away what compression adds.
///
///     minimize over w   F(w) = sum_k pi_k f_k(w),   f_k(w) = L_k(w) + (b/2) |w|^2,   L_k the mean loss of client k's
///     n_k samples, pi_k = n_k / n
///
/// Client k keeps its last gradient h_k and what the server knows of it, G_k. In round 1 it sends its gradient as it
/// is, h_k = G_k = grad f_k(x); later, with an unbiased compressor Q:
///
///     q_k = Q(grad f_k(x) - h_k - a (G_k - h_k)),   h_k <- grad f_k(x),   G_k <- G_k + q_k     at client k      (1)
///     g <- g + sum_k pi_k q_k,   x <- x - s g                                                  at the server    (2)
///
/// so that g = sum_k pi_k G_k. Where f is strongly convex x converges linearly to the minimizer, however the clients
/// differ, without a full round after the first. Needs, in theory, a = 1/(2 omega + 1) and s <= 1/(L_f + L~ sqrt(16
/// omega (2 omega + 1) / m)) for m clients, the defaults: L_f the curvature of f, L~^2 = sum_k pi_k L_k^2, L_k that of
/// f_k. Larger steps often do. A round is one round trip, d numbers down and one encoding up. With the identity it is
/// gradient descent. Source: Tyurin, Richtarik, "DASHA: distributed nonconvex optimization with communication
/// compression, optimal oracle complexity, and no client synchronization", ICLR 2023, Algorithm 1 with full gradients.
namespace lagnet {

struct DashaOptions {
  static constexpr std::string_view kind = "dasha";
  static constexpr std::string_view summary =
      "gradient descent from compressed gradient differences with momentum, DASHA (Tyurin, Richtarik 2022)";
  static constexpr AlgorithmTraits traits =
      compressed_server_traits(Regularizers::smooth, "dasha sends differences that must arrive once");
  CompressorOptions compressor = {};
  std::optional<double> step = {}, a = {}, L = {};
  static void fields(auto& self, auto& field) {
    CompressorOptions::declare(self, field);
    field("step", self.step,
          "s, step size; null or theory: 1/(L_f + L~ sqrt(16 omega (2 omega + 1) / m)), omega the compressor's "
          "variance, m clients",
          above(0).or_word("theory"));
    field("a", self.a, "how much of what the server lacks is sent in a round; null: 1/(2 omega + 1)", above_to(0, 1));
    declare_curvature_of_mean(self, field);
  }
};

class Dasha final : public EstimateMethod {
 public:
  /// Throws Diagnosed for a loss with kinks, a constraint, a regularizer other than l2, and a compressor that is biased
  /// by more than rounding.
  Dasha(const DashaOptions& options, MethodInput given);

 private:
  bool is_full(const Agent&, Round t) const override { return t == 1; }
  Task<> train(Agent& me) const override;

  double a_;
};

}  // namespace lagnet
