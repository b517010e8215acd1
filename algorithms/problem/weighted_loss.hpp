#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/objectives/loss.hpp"
#include "algorithms/problem/problem.hpp"
#include "sim/base/array.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// How much agents that hold samples weigh in the objective
///
///     F(theta) = (1/m) sum_i f_i(theta) + r(theta),   f_i(theta) = (w_i / n_i) sum over agent i's samples of l(x'
///     theta, y)
///
/// of m agents, of which i holds n_i of all N samples. They differ only where not all n_i are equal.
enum class AgentWeights {
  samples,  // w_i = m n_i / N: every sample weighs alike, and F is the objective of all samples pooled
  even      // w_i = 1: every agent weighs alike, and its samples the less the more it has
};
constexpr auto spellings(AgentWeights) {
  return std::array{Spelling{AgentWeights::samples, "samples"}, Spelling{AgentWeights::even, "even"}};
}

/// w_i of each agent; agent i holds the rows sample_starts[i] .. sample_starts[i+1] - 1. Exactly 1 for equal n_i. (m)
std::vector<double> agent_weights(AgentWeights weights, const std::vector<Index>& sample_starts);

/// w_i l(a_i, y_i): a loss whose samples do not weigh alike. Only the forms over all samples exist, in the order of the
/// weights; those of a single score, and proxes, are internal errors.
class WeightedLoss final : public Loss {
 public:
  /// Weights above 0 (n).
  WeightedLoss(std::shared_ptr<const Loss> of_one, Vector weights);

  std::string_view kind() const override { return of_one_->kind(); }
  Index outputs() const override { return of_one_->outputs(); }
  const Loss& of_one() const { return *of_one_; }     // without weights
  const Vector& weights() const { return weights_; }  // of the samples (n)

  double value(double, double) const override;
  double derivative(double, double) const override;
  double curvature(double, double) const override;
  double conjugate(double, double) const override;
  double prox_conjugate(double, double, double) const override;

  double total(VectorRef a, VectorRef y) const override;
  double total_conjugate(VectorRef lam, VectorRef y) const override;  // sum of w_i l*(lam_i / w_i; y_i)
  Vector derivative(VectorRef a, VectorRef y) const override;
  Vector curvature(VectorRef a, VectorRef y) const override;
  void prox_conjugate(Eigen::Ref<Vector> lam, VectorRef y, double c) const override;

  std::optional<double> smoothness() const override;  // of the heaviest sample
  bool may_be_smooth() const override { return of_one_->may_be_smooth(); }
  bool has_curvature() const override { return of_one_->has_curvature(); }
  bool has_second_derivative() const override { return of_one_->has_second_derivative(); }
  bool has_conjugate() const override { return of_one_->has_conjugate(); }
  bool attains_infimum() const override { return of_one_->attains_infimum(); }
  std::optional<std::string> label_problem(double y) const override { return of_one_->label_problem(y); }

 private:
  Vector scaled(Vector of_samples) const;  // each sample's entries times its weight

  std::shared_ptr<const Loss> of_one_;
  Vector weights_;
};

/// The problem of all samples whose objective is the F of AgentWeights; agent i holds the rows sample_starts[i] ..
/// sample_starts[i+1] - 1. With even weights of agents that hold different numbers of samples its loss is a
/// WeightedLoss of the rows in their order, else it is the same problem. X is shared.
Problem pooled(const Problem& problem, AgentWeights weights, const std::vector<Index>& sample_starts);

/// The loss of one sample, with the weight that a WeightedLoss gives it.
class SampleLoss {
 public:
  explicit SampleLoss(const Problem& problem)
      : problem_(problem), weighted_(dynamic_cast<const WeightedLoss*>(problem.loss.get())) {}
  const Loss& one() const { return weighted_ ? weighted_->of_one() : *problem_.loss; }
  double weight(Index i) const { return weighted_ ? weighted_->weights()[i] : 1; }
  double value(const Vector& scores, Index i) const {
    const Index c = problem_.loss->outputs();
    return weight(i) * one().total(scores.segment(i * c, c), problem_.y.segment(i, 1));
  }
  double conjugate(double lam, Index i) const { return weight(i) * one().conjugate(lam / weight(i), problem_.y[i]); }

 private:
  const Problem& problem_;
  const WeightedLoss* weighted_;
};

}  // namespace lagnet
