#pragma once

#include <array>
#include <optional>
#include <vector>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/peers/bases/peers.hpp"

/// Decentralized alternating direction method of multipliers, one copy of theta an agent, equal over every edge.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta)
///
///     x_i <- argmin over x of f_i(x) + a_i'x + c sum over neighbors k of |x - (x_i + x_k) / 2|^2
///     a_i <- a_i + c sum over neighbors k of (x_i - x_k)
///
/// The local step is exact for least squares: a matrix of the order of the smaller side of X_i is factored at the
/// start; or linearized, one gradient of f_i with a proximity term: x_i <- x_i - (grad f_i(x_i) + a_i + c sum_k (x_i -
/// x_k)) / (2 c deg_i + damping). Converges for every c > 0 if exact, else for damping large enough: above the largest
/// curvature of any f_i. One exchange a round, over the topology itself: no gossip matrix. Sources: W. Shi, Q. Ling, K.
/// Yuan, G. Wu, W. Yin, "On the linear convergence of the ADMM in decentralized consensus optimization", IEEE TSP 2014,
/// algorithm 1; Q. Ling, W. Shi, G. Wu, A. Ribeiro, "DLM: decentralized linearized alternating direction method of
/// multipliers", IEEE TSP 2015.
namespace lagnet {

enum class LocalStep { linearized, exact };
constexpr auto spellings(LocalStep) {
  return std::array{Spelling{LocalStep::linearized, "linearized"}, Spelling{LocalStep::exact, "exact"}};
}

struct DecentralizedAdmmOptions {
  static constexpr std::string_view kind = "decentralized_admm";
  static constexpr std::string_view summary =
      "decentralized ADMM over the edges, exact or linearized local steps (Shi et al. 2014)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .takes_regularizers = Regularizers::smooth,
                                          .takes_even_weights = true,
                                          .timing_only = true};
  std::optional<double> penalty;  // c
  LocalStep local_step = LocalStep::linearized;
  std::optional<double> damping;
  static void fields(auto& self, auto& field) {
    field("penalty", self.penalty,
          "c, the weight of disagreement; theory: L / (2 D), which weighs it like the f_i, L the largest curvature of "
          "any "
          "f_i and D the largest number of neighbors",
          above(0).or_word("theory"));
    field("local_step", self.local_step, "how an agent minimizes; exact for least squares alone");
    field("damping", self.damping, "of linearized steps; by default the curvature of the loss times |X|^2 / N",
          above(0));
  }
  void check(auto& report) const {
    if (damping && local_step == LocalStep::exact) report("damping", "none with exact local steps", *damping);
  }
};

class DecentralizedAdmm final : public PeerAlgorithm {
 public:
  /// Throws Diagnosed for constants that cannot be, and for a problem that it is not for.
  DecentralizedAdmm(const DecentralizedAdmmOptions& options, MethodInput input);

  /// With exact steps the data once more, and a factor for each agent.
  std::optional<Bytes> memory() const override;

 private:
  Task<> run(Agent& me) const override;

  double c_ = 0;  // 0 in a timing-only run where theory gives it
  bool exact_;
  std::vector<DataMatrix> blocks_;  // X_i of each agent where steps are exact (n_i x d)
  double damping_ = 0;
};

}  // namespace lagnet
