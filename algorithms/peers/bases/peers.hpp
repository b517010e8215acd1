#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/interface/algorithm_traits.hpp"
#include "algorithms/kernels/row_block.hpp"
#include "algorithms/peers/bases/alike_agents.hpp"

/// The base of algorithms whose agents are all alike and hold samples:
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta) + r(theta), theta in a set,
///     f_i(theta) = (1/n_i) sum over agent i's samples of l(x' theta, y).
///
/// Each f_i keeps its own 1/n_i and agents weigh alike, so that F is the pooled problem's objective exactly if all hold
/// the same number of samples. Every agent has its own iterate theta_i, starts at 0 and reports theta_i. d is the
/// number of its entries, also where it is a matrix, as with a loss of several scores a sample.
namespace lagnet {

class PeerAlgorithm : public AlikeAgents {
 public:
  std::vector<Vector> first_report(AgentId agent) const override;  // zeros
  /// normalized_error: sum_i |theta_i - truth|^2 / (m |truth|^2); optimum_distance: (1/m) sum_i |theta_i - theta*|^2,
  /// theta* the central optimum that was found, of perhaps many; consensus_error: (1/m) sum_i |theta_i - mean|^2. Empty
  /// where the truth or an optimum is not known.
  std::vector<std::string> metric_names() const override;
  /// The iterate is the mean of the theta_i.
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  /// The data once more, and fourteen vectors an agent, payloads and reports among them.
  std::optional<Bytes> memory() const override;

  /// F, with this problem's partition.
  double objective(VectorRef theta) const;
  /// grad f_i (d), without r.
  Vector gradient(AgentId i, VectorRef theta) const;

 protected:
  /// Throws OptionError, in the name of an algorithm of that kind, for a loss that has kinks.
  PeerAlgorithm(MethodInput input, std::string_view kind);

  /// Throws OptionError, in the name of an algorithm of that kind, for a regularizer or a constraint.
  void need_smooth(std::string_view kind) const;
  /// The same where there are more agents than one.
  void need_one_agent(std::string_view kind) const;

  Index d() const { return given().problem.dim(); }
  /// 4 n_i d flops for dense samples, 4 for each stored entry of sparse ones and each score.
  Cost gradient_work(AgentId i) const;
  /// `each` flops for every entry of a vector; `vectors` is the number of vectors that are read or written.
  Cost vector_work(Index each, Index vectors) const { return {each * d(), Bytes{sizeof(double)} * vectors * d()}; }
  const RowBlock& samples(AgentId i) const { return blocks_[i]; }

 private:
  std::vector<RowBlock> blocks_;
  std::vector<std::vector<Index>> batches_;  // all rows of each block
  bool even_ = true;                         // all n_i are equal
};

/// The pooled problem whose objective is F for agents that weigh alike: for equal numbers of samples the problem
/// itself; for least squares one with scaled rows, |.|^2 weighted by N / (m n_i); else nothing.
std::optional<Problem> pooled(const Problem& problem, const std::vector<Index>& sample_starts);

}  // namespace lagnet
