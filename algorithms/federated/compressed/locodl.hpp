#pragma once

#include <optional>
#include <string_view>

#include "algorithms/federated/bases/coin_method.hpp"
#include "algorithms/interface/compression.hpp"

/// LoCoDL: local gradient steps that are corrected by shifts, and compressed differences to a model that all know.
///
///     minimize over w   F(w) = sum_k pi_k f_k(w) + g(w),   g(w) = (lambda/2) |w|^2,   f_k(w) = L_k(w) + ((b-lambda)/2)
///     |w|^2,   L_k the mean loss of client k's n_k samples, pi_k = n_k / n, b the weight of the regularizer l2
///
/// Client k keeps x_k and a shift u_k; y and its shift v are the same at all clients and the server. Shifts are 0 at
/// first and converge to the gradients at the minimizer, those of g to that of v. Q is an unbiased compressor. A round
/// is what lies between two communications: T steps, T the same for all, the number of throws until a coin shows heads,
/// which it does with probability p.
///
///     T times: x_k <- x_k - step (grad f_k(x_k) - u_k),   y <- y - step (lambda y - v)                          (1)
///     q_k = Q(x_k - y),   D = (1/2) sum_k pi_k q_k at the server, sent down with the next request               (2)
///     x_k <- (1-rho) x_k + rho (y + D),   u_k <- u_k + (p chi/step) (D - q_k)                                   (3)
///     y <- y + rho D,   v <- v + (p chi/step) D                                                                 (4)
///
/// sum_k pi_k u_k + v = 0 at all times. For step <= 1/L, chi = rho = 1/(1 + omega), the defaults, y converges linearly
/// to the minimizer, in expectation; L and mu, by which p = 1/sqrt(kappa), kappa = L/mu, are those of L_k(w) + (b/2)
/// |w|^2. A round is one round trip, d numbers down, zeros in round 1, and one encoding up. Source: Condat, Maranjyan,
/// Richtarik, "LoCoDL: communication-efficient distributed learning with local training and compression", 2024,
/// Algorithm 1.
namespace lagnet {

struct LocodlOptions {
  static constexpr std::string_view kind = "locodl";
  static constexpr std::string_view summary =
      "local gradient steps with shifts and compressed differences, LoCoDL (Condat, Maranjyan, Richtarik 2024)";
  AlgorithmTraits traits() const {
    return coin_traits(*this, Regularizers::smooth, "locodl sends differences that must arrive once");
  }
  CompressorOptions compressor = {};
  std::optional<double> step = {}, p = {}, chi = {}, rho = {};
  double share = 0.5;
  std::optional<double> mu = {}, L = {};
  static void fields(auto& self, auto& field) {
    CompressorOptions::declare(self, field);
    declare_coin(self, field,
                 "probability that a local step is the last one of its round, whose mean number of steps is 1/p; null: "
                 "1 / sqrt(kappa), kappa = L/mu");
    field("chi", self.chi, "how fast shifts learn; null: 1 / (1 + omega), omega the compressor's variance",
          above_to(0, 1));
    field("rho", self.rho, "how far models go to what they agree on; null: 1 / (1 + omega)", above_to(0, 1));
    field("share", self.share, "lambda / b, how much of the regularizer's square is g",
          Limits{.low = 0, .high = 1, .low_excluded = true, .high_excluded = true});
  }
  void check(auto& report) const { check_coin(*this, report); }
};

class Locodl : public CoinMethod {
 public:
  /// Throws Diagnosed for a loss with kinks, a constraint, a regularizer other than l2 with a weight above 0, mu above
  /// L, and a compressor that is biased by more than rounding.
  Locodl(const LocodlOptions& options, MethodInput given);

 private:
  Task<> serve(Agent& me) const override;  // reports y and v (d each)
  Task<> train(Agent& me) const override;

  const Compression Q_;
  double chi_, rho_;
  double lambda_;
};

}  // namespace lagnet
