#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/objectives/loss.hpp"
#include "algorithms/problem/agent_weights.hpp"
#include "algorithms/problem/problem.hpp"

namespace lagnet {

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

}  // namespace lagnet
