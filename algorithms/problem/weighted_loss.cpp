#include "algorithms/problem/weighted_loss.hpp"

#include <cstddef>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

bool all_hold_as_many(const std::vector<Index>& starts) {
  for (std::size_t i = 1; i < starts.size(); ++i)
    if (starts[i] - starts[i - 1] != starts[1]) return false;
  return true;
}

[[noreturn]] void no_single_sample() { throw InternalError("a weighted loss asked for a sample without its weight"); }

}  // namespace

std::vector<double> agent_weights(AgentWeights weights, const std::vector<Index>& starts) {
  std::vector<double> w(starts.size() - 1, 1);
  if (weights == AgentWeights::even) return w;
  const double m = static_cast<double>(w.size()), N = static_cast<double>(starts.back());
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = m * static_cast<double>(starts[i + 1] - starts[i]) / N;
  return w;
}

WeightedLoss::WeightedLoss(std::shared_ptr<const Loss> of_one, Vector weights)
    : of_one_(std::move(of_one)), weights_(std::move(weights)) {
  LAGNET_CHECK(weights_.minCoeff() > 0, "a sample of weight {}", weights_.minCoeff());
}

double WeightedLoss::value(double, double) const { no_single_sample(); }
double WeightedLoss::derivative(double, double) const { no_single_sample(); }
double WeightedLoss::curvature(double, double) const { no_single_sample(); }
double WeightedLoss::conjugate(double, double) const { no_single_sample(); }
double WeightedLoss::prox_conjugate(double, double, double) const { no_single_sample(); }
void WeightedLoss::prox_conjugate(Eigen::Ref<Vector>, VectorRef, double) const { no_single_sample(); }

double WeightedLoss::total(VectorRef a, VectorRef y) const {
  const Index c = outputs();
  double sum = 0;
  for (Index i = 0; i < weights_.size(); ++i) sum += weights_[i] * of_one_->total(a.segment(i * c, c), y.segment(i, 1));
  return sum;
}

double WeightedLoss::total_conjugate(VectorRef lam, VectorRef y) const {
  const Index c = outputs();
  double sum = 0;
  for (Index i = 0; i < weights_.size(); ++i) {
    const Vector own = lam.segment(i * c, c) / weights_[i];
    sum += weights_[i] * of_one_->total_conjugate(own, y.segment(i, 1));
  }
  return sum;
}

Vector WeightedLoss::derivative(VectorRef a, VectorRef y) const { return scaled(of_one_->derivative(a, y)); }

Vector WeightedLoss::curvature(VectorRef a, VectorRef y) const { return scaled(of_one_->curvature(a, y)); }

std::optional<double> WeightedLoss::smoothness() const {
  const auto of_one = of_one_->smoothness();
  return of_one ? std::optional(weights_.maxCoeff() * *of_one) : std::nullopt;
}

Vector WeightedLoss::scaled(Vector of_samples) const {
  const Index c = outputs();
  for (Index i = 0; i < weights_.size(); ++i) of_samples.segment(i * c, c) *= weights_[i];
  return of_samples;
}

Problem pooled(const Problem& problem, AgentWeights weights, const std::vector<Index>& starts) {
  if (weights == AgentWeights::samples || all_hold_as_many(starts)) return problem;
  const double m = static_cast<double>(starts.size() - 1), N = static_cast<double>(problem.samples);
  Vector of_rows(problem.X->rows());
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const Index n = starts[i + 1] - starts[i];
    of_rows.segment(starts[i], n).setConstant(N / (m * static_cast<double>(n)));
  }
  Problem weighted = problem;
  weighted.loss = std::make_shared<const WeightedLoss>(problem.loss, std::move(of_rows));
  return weighted;
}

}  // namespace lagnet
