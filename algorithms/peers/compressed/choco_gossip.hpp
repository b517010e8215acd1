#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/peers/bases/alike_agents.hpp"
#include "algorithms/peers/compressed/difference_exchange.hpp"

/// CHOCO-GOSSIP: averaging by compressed messages.
///
///     q_i = Q(x_i - xh_i)                                          (1)
///     xh_i += q_i                                                  (2)
///     s_i  += w_ii q_i + sum over neighbors j of w_ij q_j          (3)      s_i = sum_j w_ij xh_j
///     x_i  += gamma (s_i - xh_i)                                   (4)
///
/// from x_i^0, what agent i has found alone (AveragedStarts), and xh_i = s_i = 0. The mean of the x_i never changes.
/// Linear convergence to it for a contractive Q with delta > 0 and gamma = choco_gamma(), which is far from the largest
/// that converges; where gamma is too large it diverges. With the identity and gamma = 1 it is x <- W x. Source:
/// Koloskova, Stich, Jaggi, "Decentralized stochastic optimization and gossip algorithms with compressed
/// communication", ICML 2019, algorithm 1 in the form of its appendix that keeps one vector for all neighbors.
namespace lagnet {

struct ChocoGossipOptions {
  static constexpr std::string_view kind = "choco_gossip";
  static constexpr std::string_view summary =
      "averages what each agent finds alone by compressed differences (Koloskova, Stich, Jaggi 2019)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_gossip = true,
                                          .takes_regularizers = Regularizers::all,
                                          .square = SquareStands::in_subproblems,
                                          .every_message = "choco_gossip sends differences that must arrive once",
                                          .timing_only = true};
  std::optional<double> gamma = {};
  CompressorOptions compressor = {};
  static void fields(auto& self, auto& field) {
    declare_gamma(self, field);
    CompressorOptions::declare(self, field);
  }
};

class ChocoGossip final : public AveragedStarts {
 public:
  /// Throws Diagnosed where an agent's own samples leave no minimizer to be found.
  ChocoGossip(const ChocoGossipOptions& options, MethodInput input);

  std::vector<std::string> metric_names() const override { return {"relative_consensus_error"}; }
  /// The mean of the x_i. relative_consensus_error: sqrt(sum_i |x_i - mean|^2) over that of the start; empty where all
  /// start at one point.
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  std::optional<Bytes> memory() const override;

 private:
  Task<> run(Agent& me) const override;

  const DifferenceExchange exchange_;
  double gamma_;
  double spread_ = 0;  // (1/m) sum_i |x_i^0 - mean|^2
};

}  // namespace lagnet
