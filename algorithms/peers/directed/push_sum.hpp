#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/interface/algorithm_traits.hpp"
#include "algorithms/peers/bases/alike_agents.hpp"
#include "sim/base/options.hpp"

/// Push-sum: averaging of what each agent has found alone, over links that may go one way.
///
///     S <- C S,   w <- C w,   z_i = S_i / w_i        from S_i = x_i^0, w_i = 1                                     (1)
///
/// C are the push weights (one_way.hpp), x_i^0 the minimizer of the objective on agent i's own samples. sum_i S_i and
/// sum_i w_i = m stay as they are, and w_i > 0; in a strongly connected digraph all z_i tend to the mean of the x_i^0
/// at a linear rate. As with gossip_averaging that is the minimizer of F for one feature that is 1 for all samples, the
/// squared loss and equal shares, otherwise "one-shot averaging". The agents' own minimizers are computed before the
/// run and not billed. Source: D. Kempe, A. Dobra, J. Gehrke, "Gossip-based computation of aggregate information", FOCS
/// 2003, protocol push-sum, with the shares of F. Benezit, V. Blondel, P. Thiran, J. Tsitsiklis, M. Vetterli, "Weighted
/// gossip: distributed averaging using non-doubly stochastic matrices", ISIT 2010.
namespace lagnet {

struct PushSumOptions : NoOptions {
  static constexpr std::string_view kind = "push_sum";
  static constexpr std::string_view summary =
      "push-sum averages what each agent finds alone, over one-way links (Kempe, Dobra, Gehrke 2003)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .takes_regularizers = Regularizers::all,
                                          .square = SquareStands::in_subproblems,
                                          .takes_directed = true,
                                          .every_message = "push_sum keeps sums by what is sent",
                                          .takes_sequence = true,
                                          .takes_single_rounds = SingleRounds::any,
                                          .timing_only = true};
};

class PushSum final : public AlikeAgents {
 public:
  /// Throws Diagnosed where an agent's own samples leave no minimizer to be found.
  PushSum(const PushSumOptions& options, MethodInput input);

  /// Two parts: z_i (d) and w_i (1).
  std::vector<Vector> first_report(AgentId agent) const override;
  /// consensus_error: sqrt(sum_i |z_i - mean of the z_i|^2 / m). average_error: the same from the mean of the x_i^0.
  std::vector<std::string> metric_names() const override { return {"consensus_error", "average_error"}; }
  /// The mean of the z_i.
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  std::optional<Bytes> memory() const override;

 private:
  Task<> run(Agent& me) const override;

  std::vector<Vector> start_;  // x_i^0 by agent (d)
  Vector average_;             // their mean (d)
};

}  // namespace lagnet
