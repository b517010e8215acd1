#pragma once

#include <optional>
#include <string_view>

#include "algorithms/federated/compressed/compressed_method.hpp"

/// EF21-BC: EF21 with compression both ways.
///
///     minimize over w   F(w) = f(w) + r(w),   f(w) = sum_k pi_k f_k(w),   f_k(w) = L_k(w) + (b/2) |w|^2,   L_k the
///     mean loss of client k's n_k samples, pi_k = n_k / n, r the regularizer without its square
///
/// Client k keeps an estimate G_k of its gradient, the server their mean G = sum_k pi_k G_k, and all keep an estimate g
/// of G, along which x goes; G_k = G = g = 0 at first, and all know where x starts. Q and Q_d are contractive
/// compressors, perhaps biased.
///
///     c_k = Q(grad f_k(x) - G_k),   G_k <- G_k + c_k                        at client k                         (1)
///     G <- G + sum_k pi_k c_k,   e = Q_d(G - g)                             at the server                       (2)
///     g <- g + e,   x <- prox of s r at x - s g                             at the server, and with the next    (3)
///                                                                           request, which is e, at clients
///
/// Where f is strongly convex x converges linearly to the minimizer for small s, however the clients differ. With the
/// identity for Q_d it is ef21. A round is one round trip, one encoding each way, that of a vector of zeros in the
/// request of round 1, too. Source: Fatkhullin, Sokolov, Gorbunov, Li, Richtarik, "EF21 with bells & whistles", 2021.
namespace lagnet {

struct Ef21BcOptions {
  static constexpr std::string_view kind = "ef21_bc";
  static constexpr std::string_view summary =
      "EF21 with bidirectional compression: requests are compressed, too (Fatkhullin et al. 2021)";
  static constexpr AlgorithmTraits traits =
      compressed_server_traits(Regularizers::all, "ef21_bc sends differences that must arrive once");
  CompressorOptions compressor = {};
  std::optional<CompressorOptions> compressor_down = {};
  double step = 0;
  static void fields(auto& self, auto& field) {
    CompressorOptions::declare(self, field);
    field("compressor_down", self.compressor_down, "what the server sends; null: that of the clients");
    field("step", self.step, "s, step size", above(0).required());
  }
};

class Ef21Bc final : public CompressedMethod {
 public:
  /// Throws Diagnosed for a loss with kinks, a constraint, and compressors that are not contractive.
  Ef21Bc(const Ef21BcOptions& options, MethodInput given);

 private:
  Task<> serve(Agent& me) const override;  // reports x, g and G (d each)
  Task<> train(Agent& me) const override;
  /// g <- g + e, x <- prox of s r at x - s g, with `ahead` (d) for what the prox is taken of  (d each)
  void move(VectorRef e, StateVector& g, StateVector& x, StateVector& ahead) const;
  Cost move_work() const;

  const Compression Q_down_;
  double s_;
};

}  // namespace lagnet
