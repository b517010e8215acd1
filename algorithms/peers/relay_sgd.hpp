#pragma once

#include "algorithms/peers/bases/local_gradients.hpp"
#include "algorithms/peers/bases/peers.hpp"

/// RelaySGD: models that are relayed along the edges of a tree.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta)
///
///     h = x - alpha grad f(x)                                                                            (1)
///     m_ij = h + sum over other neighbors k of m_ki of the round before,   sent to neighbor j            (2)
///     x = (h + sum over neighbors j of m_ji) / m,   from x = 0, m_ij = 0                                 (3)
///
/// with no gossip matrix. On a tree m_ji is the sum of the newest h of all agents behind j, each as many rounds old as
/// there are edges between less one: x_i is a mean over all agents, and the limit is exact with a constant step. The
/// source counts the models that have come and takes x_0 for the others; from 0, division by m is the same. By default
/// alpha = 1 / (2 L), L the largest curvature of any f_i. Source: T. Vogels, L. He, A. Koloskova, T. Lin, S. P.
/// Karimireddy, S. U. Stich, M. Jaggi, "RelaySum for decentralized deep learning on heterogeneous data", NeurIPS 2021,
/// algorithm 1.
namespace lagnet {

struct RelaySgdOptions {
  static constexpr std::string_view kind = "relay_sgd";
  static constexpr std::string_view summary = "RelaySGD, sums of models relayed along a tree (Vogels et al. 2021)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .takes_regularizers = Regularizers::smooth,
                                          .takes_even_weights = true,
                                          .every_message = "relay_sgd needs every model once",
                                          .timing_only = true};
  std::optional<double> step = {};  // alpha
  std::optional<std::int64_t> batch = {};
  static void fields(auto& self, auto& field) {
    field("step", self.step, "alpha, step size; theory: 1 / (2 L), L the largest curvature of any f_i",
          above(0).or_word("theory"));
    LocalGradientOptions::declare_batch(self, field);
  }
  void check(auto&) const {}
};

class RelaySgd final : public PeerAlgorithm {
 public:
  /// Throws Diagnosed for a topology that is no tree, and for data that are all 0 where theory gives the step.
  RelaySgd(const RelaySgdOptions& options, MethodInput input);
  /// Two vectors for each neighbor beside those of all methods.
  std::optional<Bytes> memory() const override;

 private:
  Task<> run(Agent& me) const override;

  const RelaySgdOptions options_;
  double alpha_ = 0;  // 0 in a timing-only run where theory gives it
};

}  // namespace lagnet
