#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/local/dual_gradient.hpp"
#include "algorithms/peers/bases/accelerated_gossip.hpp"
#include "algorithms/peers/bases/peers.hpp"

/// SSDA and MSDA: Nesterov's method on the dual of the problem with one copy of theta an agent, by one exchange a
/// round, and by K of them.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta),   every f_i with curvatures from mu > 0 to L
///
///     theta_i = grad f_i*(x_i)                         (1)   the theta with grad f_i(theta) = x_i
///     y_new = x - eta P(Wl) theta                      (2)   eta = mu / l_1
///     x = y_new + beta (y_new - y),   y = y_new        (3)   beta = (sqrt(kappa) - sqrt(g)) / (sqrt(kappa) + sqrt(g))
///
/// from x = y = 0, with kappa = L / mu, g = l_n / l_1. P is the graph's Laplacian Wl itself for SSDA, and for MSDA a
/// polynomial of it of degree K whose eigenvalues but 0 lie in [l_n, l_1] (accelerated_gossip.hpp). The sum of the
/// x_i stays 0. Rounds to an accuracy grow as sqrt(kappa / g): with SSDA exchanges and dual gradients as sqrt(kappa
/// chi), with MSDA gradients as sqrt(kappa) alone, both of which are optimal. Dual gradients are exact
/// (dual_gradient.hpp): for least squares by a factor, for other losses by as many steps of Newton's method as it
/// takes, so that these need numbers. Source: K. Scaman, F. Bach, S. Bubeck, Y. T. Lee, L. Massoulie, "Optimal
/// algorithms for smooth and strongly convex distributed optimization in networks", ICML 2017, algorithms 1 and 2.
namespace lagnet {

constexpr AlgorithmTraits dual_peers_traits(std::string_view every_message) {
  return {.partition_by = PartitionBy::samples,
          .needs_graph_spectra = true,
          .takes_regularizers = Regularizers::smooth,
          .square = SquareStands::in_subproblems,
          .needs_curvature = true,
          .takes_even_weights = true,
          .every_message = every_message,
          .timing_only = true,
          .timing_needs_squared = true};
}

struct SsdaOptions : OwnCurvatureOptions {
  static constexpr std::string_view kind = "ssda";
  static constexpr std::string_view summary =
      "SSDA, accelerated dual ascent with one exchange a round (Scaman et al. 2017)";
  static constexpr AlgorithmTraits traits = dual_peers_traits("ssda needs every exchange");
};

struct MsdaOptions : OwnCurvatureOptions {
  static constexpr std::string_view kind = "msda";
  static constexpr std::string_view summary =
      "MSDA, accelerated dual ascent with several exchanges a round (Scaman et al. 2017)";
  static constexpr AlgorithmTraits traits = dual_peers_traits("msda needs every exchange");
  PolynomialOptions polynomial = {};
  static void fields(auto& self, auto& field) {
    OwnCurvatureOptions::fields(self, field);
    PolynomialOptions::fields(self.polynomial, field);
  }
};

class Ssda final : public StronglyConvexPeers {
 public:
  /// Throw Diagnosed for constants that cannot be, for a topology that changes, and for a loss of several scores.
  Ssda(const SsdaOptions& options, MethodInput input)
      : Ssda(options, Index{0}, std::move(input), SsdaOptions::kind, SsdaOptions::traits) {}
  Ssda(const MsdaOptions& options, MethodInput input)
      : Ssda(options, options.polynomial.K, std::move(input), MsdaOptions::kind, MsdaOptions::traits) {}

  /// The data once more, and two d x d matrices an agent.
  std::optional<Bytes> memory() const override;

 private:
  Ssda(const OwnCurvatureOptions& curvature, std::optional<Index> K, MethodInput input, std::string_view kind,
       const AlgorithmTraits& traits);
  Task<> run(Agent& me) const override;

  const AcceleratedGossip P_;
  std::vector<DataMatrix> blocks_;  // X_i of each agent (n_i x d)
  double eta_ = 0, beta_ = 0;       // 0 in a timing-only run
};

}  // namespace lagnet
