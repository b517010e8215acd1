#pragma once

#include <optional>
#include <string_view>

#include "algorithms/federated/compressed/estimate_method.hpp"

/// DASHA-PP: DASHA with cohorts, of which a client knows how large a share pa of all m clients they are.
///
///     minimize over w   F(w) = (1/m) sum_k f_k(w),   f_k(w) = L_k(w) + (b/2) |w|^2,   L_k the mean loss of client k's
///     samples; all clients hold as many, or weigh alike
///
/// Round 1 asks all clients, as in dasha: h_k = G_k = grad f_k(x). Later rounds ask a cohort, which gets x and the
/// model of the round before, x_old. Q is an unbiased compressor.
///
///     k = grad f_k(x) - grad f_k(x_old) - b (h_k - grad f_k(x_old))                at client k of the cohort    (1)
///     q_k = Q(k/pa - (a/pa) (G_k - h_k)),   h_k <- h_k + k/pa,   G_k <- G_k + q_k                               (2)
///     g <- g + (1/m) sum of q_k over the cohort,   x <- x - s g                    at the server                (3)
///
/// The state of clients that are not asked stays; g = (1/m) sum_k G_k. Where f is strongly convex x converges linearly
/// to the minimizer for small s, of which theory gives none that is of use. With all clients and b = 1 it is dasha. A
/// round is one round trip, 2 d numbers down (d in round 1) and one encoding up. Source: Tyurin, Richtarik, "A
/// computation and communication efficient method for distributed nonconvex problems in the partial participation
/// setting", NeurIPS 2023, with full gradients.
namespace lagnet {

struct DashaPpOptions {
  static constexpr std::string_view kind = "dasha_pp";
  static constexpr std::string_view summary =
      "DASHA with partial participation: some clients answer in a round (Tyurin, Richtarik 2023)";
  static constexpr AlgorithmTraits traits = with_even_weights(compressed_server_traits(
      Regularizers::smooth, "dasha_pp sends differences that must arrive once", Cohorts::of_one_size));
  CompressorOptions compressor = {};
  double step = 0;
  std::optional<double> a = {}, b = {};
  static void fields(auto& self, auto& field) {
    CompressorOptions::declare(self, field);
    field("step", self.step, "s, step size", above(0).required());
    field("a", self.a,
          "how much of what the server lacks is sent in a round; null: pa/(2 omega + 1), pa the share of the clients "
          "that a round asks, omega the compressor's variance",
          above_to(0, 1));
    field("b", self.b, "how much of what a client's gradient is off is made up in a round; null: pa/(2 - pa)",
          above_to(0, 1));
  }
};

class DashaPp final : public EstimateMethod {
 public:
  /// Throws Diagnosed for a loss with kinks, a constraint, a regularizer other than l2, clients that do not weigh
  /// alike, and a compressor that is biased by more than rounding.
  DashaPp(const DashaPpOptions& options, MethodInput given);

 private:
  bool is_full(const Agent&, Round t) const override { return t == 1; }
  bool sends_last_model() const override { return true; }
  Task<> train(Agent& me) const override;

  double pa_;
  double a_, b_;
};

}  // namespace lagnet
