#pragma once

#include "algorithms/peers/bases/local_gradients.hpp"
#include "algorithms/peers/bases/peers.hpp"

/// LT-ADMM: ADMM over the edges with K local gradient steps.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta)
///
///     r = beta (rho deg_i x - sum over neighbors j of z_ij),   K times   x <- x - alpha grad f(x) - r      (1)
///     m_ij = z_ij - 2 rho x   is sent to neighbor j                                                        (2)
///     z_ij <- (z_ij - m_ji) / 2,   from x = z = 0                                                          (3)
///
/// with no gossip matrix. The limit is exact with a constant step, and there z_ij + z_ji = 2 rho x. From z = 0 rho and
/// beta matter by their product alone. A message that does not come leaves z_ij as it is, and the limit exact: whatever
/// the z_ij, the sum of all r is 0 where they do not change. By default beta = 1 / (4 rho K D), D the largest number of
/// neighbors, and alpha = 1 / (K L), L the largest curvature of any f_i. Source: X. Ren, N. Bastianello, K. H.
/// Johansson, T. Parisini, "Communication-efficient stochastic distributed learning", 2024, algorithm 1, without its
/// variance reduction.
namespace lagnet {

struct LtAdmmOptions {
  static constexpr std::string_view kind = "lt_admm";
  static constexpr std::string_view summary =
      "LT-ADMM, edges' multipliers with local gradient steps, which bears lost messages (Ren et al. 2024)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .takes_regularizers = Regularizers::smooth,
                                          .takes_even_weights = true,
                                          .no_last_values = "lt_admm takes each message in once",
                                          .same_links = "each z of lt_admm belongs to a link that stays",
                                          .timing_only = true};
  std::optional<double> step = {};  // alpha
  LocalGradientOptions local = {};
  double rho = 1;
  std::optional<double> beta = {};
  static void fields(auto& self, auto& field) {
    field("step", self.step, "alpha, step size; theory: 1 / (K L), L the largest curvature of any f_i",
          above(0).or_word("theory"));
    LocalGradientOptions::fields(self.local, field);
    field("rho", self.rho, "weight of the agreement with neighbors", above(0));
    field("beta", self.beta,
          "step of the agreement; by default 1 / (4 rho K D), D the largest number of neighbors of an agent", above(0));
  }
  void check(auto&) const {}
};

class LtAdmm final : public PeerAlgorithm {
 public:
  /// Throws Diagnosed for one agent, and for data that are all 0 where theory gives the step.
  LtAdmm(const LtAdmmOptions& options, MethodInput input);
  /// Two vectors for each neighbor beside those of all methods.
  std::optional<Bytes> memory() const override;

 private:
  Task<> run(Agent& me) const override;
  bool forgets_starts() const override { return true; }

  const LtAdmmOptions options_;
  double alpha_ = 0;  // 0 in a timing-only run where theory gives it
  double beta_ = 0;
};

}  // namespace lagnet
