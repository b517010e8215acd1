#pragma once

#include <optional>
#include <string_view>

#include "algorithms/peers/bases/accelerated_gossip.hpp"
#include "algorithms/peers/bases/peers.hpp"

/// APAPC and OPAPC: accelerated proximal alternating predictor-corrector methods, by one exchange a round, and by K.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta),   every f_i with curvatures from mu > 0 to L
///
///     xg = tau x + (1 - tau) xf                                       (1)
///     h  = grad f(xg) - alpha xg                                      (2)
///     xh = (x - eta (h + y)) / (1 + eta alpha)                        (3)
///     y  = y + theta P(Wl) xh                                         (4)
///     x_new = (x - eta (h + y)) / (1 + eta alpha)                     (5)
///     xf = xg + 2 tau / (2 - tau) (x_new - x),   x = x_new            (6)
///
/// from zeros, with tau = min(1, sqrt(l_1 / (l_n kappa)) / 2), eta = 1 / (4 tau L), theta = 1 / (eta l_1), alpha = mu,
/// kappa = L / mu. P is the graph's Laplacian Wl itself for APAPC, and for OPAPC a polynomial of it of degree K whose
/// eigenvalues but 0 lie in [l_n, l_1] (accelerated_gossip.hpp). The sum of the y_i stays 0. One gradient a round.
/// Rounds grow as sqrt(kappa l_1 / l_n) + l_1 / l_n; with K = floor(sqrt(chi)) gradients as sqrt(kappa), exchanges as
/// sqrt(kappa chi), both of which are optimal. Source: D. Kovalev, A. Salim, P. Richtarik, "Optimal and practical
/// algorithms for smooth and strongly convex decentralized optimization", NeurIPS 2020, algorithms 1 and 2; its bound
/// 19/15 of l_1 / l_n is the ratio itself here.
namespace lagnet {

constexpr AlgorithmTraits primal_peers_traits(std::string_view every_message) {
  return {.partition_by = PartitionBy::samples,
          .needs_graph_spectra = true,
          .takes_regularizers = Regularizers::smooth,
          .takes_even_weights = true,
          .every_message = every_message,
          .timing_only = true};
}

struct ApapcOptions : OwnCurvatureOptions {
  static constexpr std::string_view kind = "apapc";
  static constexpr std::string_view summary =
      "APAPC, an accelerated primal method with one exchange a round (Kovalev, Salim, Richtarik 2020)";
  static constexpr AlgorithmTraits traits = primal_peers_traits("apapc needs every exchange");
};

struct OpapcOptions : OwnCurvatureOptions {
  static constexpr std::string_view kind = "opapc";
  static constexpr std::string_view summary =
      "OPAPC, an accelerated primal method with several exchanges a round (Kovalev, Salim, Richtarik 2020)";
  static constexpr AlgorithmTraits traits = primal_peers_traits("opapc needs every exchange");
  PolynomialOptions polynomial = {};
  static void fields(auto& self, auto& field) {
    OwnCurvatureOptions::fields(self, field);
    PolynomialOptions::fields(self.polynomial, field);
  }
};

class Opapc final : public StronglyConvexPeers {
 public:
  /// Throw Diagnosed for constants that cannot be, and for a topology that changes.
  Opapc(const ApapcOptions& options, MethodInput input)
      : Opapc(options, Index{0}, std::move(input), ApapcOptions::kind, ApapcOptions::traits) {}
  Opapc(const OpapcOptions& options, MethodInput input)
      : Opapc(options, options.polynomial.K, std::move(input), OpapcOptions::kind, OpapcOptions::traits) {}

 private:
  Opapc(const OwnCurvatureOptions& curvature, std::optional<Index> K, MethodInput input, std::string_view kind,
        const AlgorithmTraits& traits);
  Task<> run(Agent& me) const override;

  const AcceleratedGossip P_;
  double tau_ = 0, eta_ = 0, theta_ = 0;  // 0 in a timing-only run
};

}  // namespace lagnet
