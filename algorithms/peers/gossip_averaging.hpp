#pragma once

#include <string>
#include <utility>
#include <vector>

#include "algorithms/interface/algorithm_traits.hpp"
#include "algorithms/peers/bases/alike_agents.hpp"
#include "sim/base/options.hpp"

/// Averaging by gossip of what each agent has found alone.
///
///     x_i^0 = argmin over x of the objective on agent i's own samples,   x_i^t = w_ii x_i^{t-1} + sum_k w_ik x_k^{t-1}
///
/// With a doubly stochastic W of a connected graph all x_i tend to the mean of the x_i^0, by the factor
/// max(|lambda_2(W)|, |lambda_m(W)|) a round. With one feature that is 1 for all samples and the squared loss, x_i^0 is
/// the mean of agent i's labels, and that limit with equal shares the minimizer of F: average consensus. Otherwise the
/// limit is "one-shot averaging", as a rule not the minimizer of F. The agents' own minimizers are computed before the
/// run and not billed. Sources: Xiao, Boyd, "Fast linear iterations for distributed averaging" (2004), equation (1);
/// Zhang, Duchi, Wainwright, "Communication-efficient algorithms for statistical optimization" (2013), section 2.
namespace lagnet {

struct GossipAveragingOptions : NoOptions {
  static constexpr std::string_view kind = "gossip_averaging";
  static constexpr std::string_view summary = "averages what each agent finds alone by gossip (Xiao, Boyd 2004)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_gossip = true,
                                          .takes_regularizers = Regularizers::all,
                                          .square = SquareStands::in_subproblems,
                                          .takes_single_rounds = SingleRounds::doubly_stochastic,
                                          .timing_only = true};
};

class GossipAveraging final : public AveragedStarts {
 public:
  /// Throws Diagnosed where an agent's own samples leave no minimizer to be found.
  GossipAveraging(const GossipAveragingOptions&, MethodInput input) : AveragedStarts(std::move(input)) {}

  std::vector<std::string> metric_names() const override { return {"consensus_error"}; }
  /// The mean of the x_i. consensus_error: sqrt(sum_i |x_i - mean|^2 / m).
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  std::optional<RateBound> rate_bound(const ErrorScale& scale) const override;

 private:
  Task<> run(Agent& me) const override;
};

}  // namespace lagnet
