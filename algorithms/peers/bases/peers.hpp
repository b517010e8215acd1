#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "algorithms/interface/algorithm_traits.hpp"
#include "algorithms/interface/curvature.hpp"
#include "algorithms/kernels/minibatches.hpp"
#include "algorithms/kernels/row_block.hpp"
#include "algorithms/peers/bases/alike_agents.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// The base of algorithms whose agents are all alike and hold samples:
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta) + r(theta), theta in a set,
///     f_i(theta) = (w_i / n_i) sum over agent i's samples of l(x' theta, y),
///
/// w_i as AgentWeights says: by default F is the objective of all samples pooled. A smooth r of a method that has no
/// prox for it, or the square of an r alone, is a part of every f_i, as the method's traits say. Every agent has its
/// own iterate theta_i, starts at 0 and reports theta_i. d is the number of its entries, also where it is a matrix, as
/// with a loss of several scores a sample.

class PeerAlgorithm : public AlikeAgents {
 public:
  std::vector<Vector> first_report(AgentId agent) const override;  // zeros
  /// normalized_error: sum_i |theta_i - truth|^2 / (m |truth|^2); optimum_distance: (1/m) sum_i |theta_i - theta*|^2,
  /// theta* the central optimum that was found, of perhaps many; consensus_error: sqrt((1/m) sum_i |theta_i -
  /// mean|^2). Empty where the truth or an optimum is not known.
  std::vector<std::string> metric_names() const override;
  /// The iterate is the mean of the theta_i.
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  const std::vector<RowBlock>* local_samples() const final { return &blocks_; }
  /// The data once more, and fourteen vectors an agent, payloads and reports among them.
  std::optional<Bytes> memory() const override;

  /// F, with this problem's partition.
  double objective(VectorRef theta) const { return pooled_.objective(theta); }
  /// grad f_i (d), or the mean over some of its samples in place of all. It has the factor w_i, and the gradient of the
  /// r that is a part of f_i, without a factor: the mean of all m, each with the weight 1/m, is that of F's smooth
  /// part.
  Vector gradient(AgentId i, VectorRef theta) const { return gradient(i, theta, batches_[i]); }
  Vector gradient(AgentId i, VectorRef theta, std::span<const Index> batch) const;
  /// The same without r: w_i times the gradient of the mean loss (d).
  Vector loss_gradient(AgentId i, VectorRef theta) const { return loss_gradient(i, theta, batches_[i]); }
  Vector loss_gradient(AgentId i, VectorRef theta, std::span<const Index> batch) const;

 protected:
  friend class DescentDirection;
  /// Throws Diagnosed, in the name of an algorithm of that kind, for a loss that has kinks, and for a regularizer or
  /// a constraint that its traits do not take.
  PeerAlgorithm(MethodInput input, std::string_view kind, const AlgorithmTraits& traits);

  /// The same where there are more agents than one.
  void need_one_agent(std::string_view kind) const;

  Index d() const { return given().problem.dim(); }
  /// 4 n_i d flops for dense samples, 4 for each stored entry of sparse ones and each score; and those of grad r where
  /// it is a part of f_i.
  Cost gradient_work(AgentId i) const { return gradient_work(i, batches_[i]); }
  Cost gradient_work(AgentId i, std::span<const Index> batch) const;
  /// The samples of an agent's gradients at that many points of a round, `size` of them for each, or all. A timing-only
  /// run draws them only if they decide the cost.
  Minibatches minibatches(const Agent& me, Round t, std::optional<Index> size, Index points) const;
  /// Of these gradients.
  Cost gradients_work(AgentId i, std::optional<Index> size, const Minibatches& batches, Index points) const;
  /// For a method that is exact with gradients of all samples: says that batches of `size` are not, if they are fewer.
  void remark_on_batch(std::optional<Index> size);
  /// `each` flops for every entry of a vector; `vectors` is the number of vectors that are read or written.
  Cost vector_work(Index each, Index vectors) const { return {each * d(), Bytes{sizeof(double)} * vectors * d()}; }
  const RowBlock& samples(AgentId i) const { return blocks_[i]; }
  std::span<const Index> all_samples(AgentId i) const { return batches_[i]; }  // their numbers in the block
  double weight(AgentId i) const { return weights_[i]; }                       // w_i
  /// Of any f_i, r included where it is a part of it. Throws Diagnosed, for the option `key`, for data that are all
  /// 0.
  double largest_curvature_of_agents(const char* key) const {
    return largest_shard_curvature(key, given(), weights_) + own_smoothness();
  }
  /// Of every f_i, r included, and the first agent whose f_i has no more.
  LeastCurvature least_curvature_of_agents() const {
    const LeastCurvature of_losses = least_shard_curvature(given(), weights_);
    return {of_losses.value + own_l2_weight(), of_losses.agent};
  }
  /// b where r = (b/2) |theta|^2 is a part of every f_i, else 0.
  double own_l2_weight() const { return smooth_ ? smooth_->l2_weight().value_or(0) : 0; }
  /// b where r is no part of every f_i and has a square (b/2) |theta|^2, else 0.
  double rest_l2_weight() const { return smooth_ ? 0 : given().problem.regularizer->l2_weight().value_or(0); }
  /// The largest curvature of the r that is a part of every f_i; 0 where none is.
  double own_smoothness() const { return smooth_ ? smooth_->smoothness().value() : 0; }
  /// Throws Diagnosed, in the name of an algorithm of that kind, where such an r is more than a square.
  void need_square(std::string_view kind) const;

 private:
  Problem pooled_;                             // its objective is F
  std::shared_ptr<const Regularizer> smooth_;  // r where it is a part of every f_i, else null
  std::vector<double> weights_;                // w_i
  std::vector<RowBlock> blocks_;
  std::vector<std::vector<Index>> batches_;  // all rows of each block
};

/// Options of methods whose steps follow from bounds 0 < mu <= L on the curvature of every f_i.
struct OwnCurvatureOptions {
  std::optional<double> mu, L;
  static void fields(auto& self, auto& field) {
    field("mu", self.mu,
          "least curvature of every f_i, an l2 regularizer included; theory: with the squared loss from the least "
          "eigenvalues of X_i'X_i / n_i, with others the regularizer's weight",
          above(0).or_word("theory"));
    field("L", self.L,
          "largest curvature of any f_i, an l2 regularizer included; theory: from the largest |X_i|^2 / n_i",
          above(0).or_word("theory"));
  }
  void check(auto& report) const {
    if (mu && L && *L < *mu) report("L", "at least mu", *L);
  }
};

/// The base of methods of peers whose f_i are smooth and strongly convex.
class StronglyConvexPeers : public PeerAlgorithm {
 protected:
  /// Throws Diagnosed unless 0 < mu <= L, and as PeerAlgorithm does.
  StronglyConvexPeers(const OwnCurvatureOptions& options, MethodInput input, std::string_view kind,
                      const AlgorithmTraits& traits);

  double mu() const { return mu_; }  // 0 in a timing-only run, like L
  double L() const { return L_; }

 private:
  double mu_ = 0, L_ = 0;
};

}  // namespace lagnet
