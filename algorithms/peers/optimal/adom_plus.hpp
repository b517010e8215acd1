#pragma once

#include <optional>

#include "algorithms/peers/bases/peers.hpp"

/// ADOM+: an accelerated primal method over graphs that change from round to round.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta),   every f_i with curvatures from mu > 0 to L
///
///     xg = t1 x + (1 - t1) xf,   yg = s1 y + (1 - s1) yf,   zg = s1 z + (1 - s1) zf                           (1)
///     h = grad f(xg) - nu xg,   w = (yg + zg) / nu                                                            (2)
///     A = x + eta alpha xg - eta h,   B = y + theta beta h - theta w                                          (3)
///     x_new = ((1 + theta beta) A + eta B) / D,   y_new = ((1 + eta alpha) B - theta A) / D                   (4)
///     v = gamma w + mm                                                                                        (5)
///     z_new = z + gamma delta (zg - z) - W_t v,   mm = v - W_t v,   zf = zg - zeta W_t (yg + zg)              (6)
///     xf = xg + t2 (x_new - x),   yf = yg + s2 (y_new - y),   x, y, z = x_new, y_new, z_new                   (7)
///
/// from zeros. W_t is the Laplacian of the round's graph over its largest eigenvalue; (4) solves the two implicit lines
/// of the paper, D = (1 + eta alpha)(1 + theta beta) + eta theta. With chi >= 1 / (least non-zero eigenvalue of W_t)
/// for all t
///
///     nu = mu / 2,   alpha = mu / 2,   beta = 1 / (2 L),   delta = 1 / (17 L),   zeta = 1/2
///     t2 = sqrt(mu / L),   t1 = 1 / (1 / t2 + 1/2),   eta = 1 / (L t2)
///     s2 = sqrt(mu / L) / (16 chi),   s1 = 1 / (1 / s2 + 1/2)
///     theta = nu / (4 s2),   gamma = nu / (14 s2 chi^2)
///
/// The sums of the z_i and of the zf_i stay 0, but for rounding that adds up: it is a floor of about 1e-11. Rounds grow
/// as chi sqrt(kappa), which is optimal for graphs that change. One gradient a round, and one exchange of 2 d numbers:
/// v, and the sum of yg and zg. Every graph must be connected. Source: D. Kovalev, E. Gasanov, A. Gasnikov, P.
/// Richtarik, "Lower bounds and optimal algorithms for smooth and strongly convex decentralized optimization over
/// time-varying networks", NeurIPS 2021, algorithm 2 without its multi-stage consensus.
namespace lagnet {

struct AdomPlusOptions : OwnCurvatureOptions {
  static constexpr std::string_view kind = "adom_plus";
  static constexpr std::string_view summary =
      "ADOM+, an accelerated primal method over changing graphs (Kovalev et al. 2021)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_graph_spectra = true,
                                          .takes_regularizers = Regularizers::smooth,
                                          .takes_even_weights = true,
                                          .every_message = "adom_plus needs every exchange",
                                          .takes_sequence = true,
                                          .timing_only = true};
  std::optional<double> chi = {};
  static void fields(auto& self, auto& field) {
    OwnCurvatureOptions::fields(self, field);
    field("chi", self.chi,
          "bound on the ratio of the largest to the least non-zero eigenvalue of any graph's Laplacian; theory: the "
          "largest of these ratios",
          at_least(1).or_word("theory"));
  }
};

class AdomPlus final : public StronglyConvexPeers {
 public:
  /// Throws Diagnosed for constants that cannot be, and for a topology that changes but is no sequence of graphs.
  AdomPlus(const AdomPlusOptions& options, MethodInput input);

  /// Twice as many vectors as others have.
  std::optional<Bytes> memory() const override;

 private:
  Task<> run(Agent& me) const override;

  struct Steps {
    double nu = 0, t1 = 0, t2 = 0, s1 = 0, s2 = 0;
    double eta = 0, theta = 0, alpha = 0, beta = 0, gamma = 0, delta = 0, zeta = 0;
  };
  static Steps steps_of(double mu, double L, double chi);

  Steps steps_;  // zeros in a timing-only run
};

}  // namespace lagnet
