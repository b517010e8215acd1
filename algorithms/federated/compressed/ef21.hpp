#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "algorithms/federated/compressed/estimate_method.hpp"

/// EF21: error feedback by estimates of gradients that compressed differences move.
///
///     minimize over w   F(w) = f(w) + r(w),   f(w) = sum_k pi_k f_k(w),   f_k(w) = L_k(w) + (b/2) |w|^2,   L_k the
///     mean loss of client k's n_k samples, pi_k = n_k / n, r the regularizer without its square
///
/// Client k keeps an estimate g_k of its gradient, the server their mean g = sum_k pi_k g_k; all start at 0, so that
/// the first answers are Q(grad f_k(x)). Q is a contractive compressor, perhaps biased.
///
///     c_k = Q(grad f_k(x) - g_k),   g_k <- g_k + c_k                        at client k                         (1)
///     g <- g + sum_k pi_k c_k,   x <- prox of s r at x - s g                at the server                       (2)
///
/// Where f is strongly convex x converges linearly to the minimizer, however the clients differ. Needs, in theory, s <=
/// 1/(L_f + L~ sqrt(1 - delta) / (1 - sqrt(1 - delta))), the default: L_f the curvature of f, L~^2 = sum_k pi_k L_k^2,
/// L_k that of f_k. Steps near 1/(2 L_f) often do, several times faster. A round is one round trip, d numbers down and
/// one encoding up.
///
/// ef21_pp asks the clients that participation.clients chooses, in round 1 all; the sum of (2) is over those who were
/// asked, with the same pi_k, so that g stays sum_k pi_k g_k. It needs smaller steps.
///
/// Sources: Richtarik, Sokolov, Fatkhullin, "EF21: a new, simpler, theoretically better, and
/// practically faster error feedback", NeurIPS 2021, Algorithm 2 and Theorem 1; with a prox Fatkhullin, Sokolov,
/// Gorbunov, Li, Richtarik, "EF21 with bells & whistles", 2021.
namespace lagnet {

struct Ef21Options {
  static constexpr std::string_view kind = "ef21";
  static constexpr std::string_view summary =
      "gradient descent from estimates that compressed differences move, EF21 (Richtarik et al. 2021)";
  static constexpr AlgorithmTraits traits =
      compressed_server_traits(Regularizers::all, "ef21 sends differences that must arrive once");
  CompressorOptions compressor = {};
  std::optional<double> step = {}, L = {};
  static void fields(auto& self, auto& field) {
    CompressorOptions::declare(self, field);
    field("step", self.step,
          "s, step size; null or theory: 1/(L_f + L~ sqrt(1 - delta) / (1 - sqrt(1 - delta))), delta the compressor's "
          "contraction",
          above(0).or_word("theory"));
    declare_curvature_of_mean(self, field);
  }
};

/// The same with cohorts: in rounds after the first some clients answer alone, and the others' estimates stay.
struct Ef21PpOptions {
  static constexpr std::string_view kind = "ef21_pp";
  static constexpr std::string_view summary =
      "EF21 with partial participation: some clients answer in a round (Fatkhullin et al. 2021)";
  static constexpr AlgorithmTraits traits =
      compressed_server_traits(Regularizers::all, "ef21_pp sends differences that must arrive once", Cohorts::any);
  CompressorOptions compressor = {};
  double step = 0;
  static void fields(auto& self, auto& field) {
    CompressorOptions::declare(self, field);
    field("step", self.step, "s, step size", above(0).required());
  }
};

class Ef21 : public EstimateMethod {
 public:
  /// Throws Diagnosed for a loss with kinks, a constraint, and a compressor that is not contractive.
  Ef21(const Ef21Options& options, MethodInput given);

 protected:
  Ef21(std::string_view kind, const AlgorithmTraits& traits, const Ef21Options& options, MethodInput given);

 private:
  Task<> train(Agent& me) const override;
  double step_of_theory(std::optional<double> L);
};

class Ef21Pp final : public Ef21 {
 public:
  /// Throws Diagnosed as Ef21 does.
  Ef21Pp(const Ef21PpOptions& options, MethodInput given)
      : Ef21(Ef21PpOptions::kind, Ef21PpOptions::traits, {.compressor = options.compressor, .step = options.step},
             std::move(given)) {}
};

}  // namespace lagnet
