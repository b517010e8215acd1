#include "algorithms/objectives/regularizers/elastic_net.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "algorithms/objectives/soft_threshold.hpp"

namespace lagnet {
namespace {

class ElasticNet final : public Regularizer {
 public:
  ElasticNet(double l1_weight, double l2_weight) : a_(l1_weight), b_(l2_weight) {}

  double value(VectorRef theta) const override { return a_ * theta.lpNorm<1>() + b_ / 2 * theta.squaredNorm(); }
  Vector prox(VectorRef q, double step) const override { return soft_threshold(q, step * a_) / (1 + step * b_); }
  /// Without the square r* is the indicator of a box; the projection on it leaves no rounding outside.
  Vector prox_conjugate(VectorRef u, double c) const override {
    if (b_ == 0) return u.cwiseMax(-a_).cwiseMin(a_);
    return Regularizer::prox_conjugate(u, c);
  }
  double conjugate(VectorRef q) const override {
    if (b_ > 0) return soft_threshold(q, a_).squaredNorm() / (2 * b_);
    return q.size() == 0 || q.lpNorm<Eigen::Infinity>() <= a_ ? 0 : std::numeric_limits<double>::infinity();
  }
  std::optional<double> l1_weight() const override { return a_; }
  std::optional<double> l2_weight() const override { return b_; }

 private:
  double a_, b_;
};

void check_weight(const char* name, double weight) {
  if (weight >= 0 && std::isfinite(weight)) return;
  throw std::invalid_argument(fmt::format("{} weight: expected a finite number of at least 0, found {}", name, weight));
}

}  // namespace

std::shared_ptr<const Regularizer> make_regularizer(const ElasticNetOptions& options) {
  check_weight("l1", options.l1_weight);
  check_weight("l2", options.l2_weight);
  return std::make_shared<ElasticNet>(options.l1_weight, options.l2_weight);
}

}  // namespace lagnet
