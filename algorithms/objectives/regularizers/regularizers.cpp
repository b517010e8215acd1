#include "algorithms/objectives/regularizers/regularizers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "algorithms/objectives/scaled_norm.hpp"
#include "algorithms/objectives/singular_values.hpp"
#include "algorithms/objectives/soft_threshold.hpp"
#include "sim/base/diagnostic.hpp"

namespace lagnet {

namespace {

class L1Norm final : public ScaledNorm {
 public:
  explicit L1Norm(double weight) : ScaledNorm(L1Options::kind, weight) {}

  double norm(VectorRef theta) const override { return theta.lpNorm<1>(); }
  double dual_norm(VectorRef q) const override { return q.size() == 0 ? 0 : q.lpNorm<Eigen::Infinity>(); }
  Vector shrunk(VectorRef q, double tau) const override { return soft_threshold(q, tau); }
  Vector projected(VectorRef u, double radius) const override {
    return soft_threshold(u, simplex_threshold(u.cwiseAbs(), radius));
  }
  /// A clamp leaves no rounding outside.
  Vector prox_conjugate(VectorRef u, double) const override { return u.cwiseMax(-weight()).cwiseMin(weight()); }
  std::shared_ptr<const ScaledNorm> with_weight(double weight) const override {
    return std::make_shared<L1Norm>(weight);
  }
  std::optional<double> l1_weight() const override { return weight(); }
  std::optional<double> l2_weight() const override { return 0; }
};

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

class GroupLasso final : public ScaledNorm {
 public:
  GroupLasso(double weight, Index group) : ScaledNorm(GroupLassoOptions::kind, weight), group_(group) {}

  double norm(VectorRef theta) const override { return norms(theta).sum(); }
  double dual_norm(VectorRef q) const override { return q.size() == 0 ? 0 : norms(q).maxCoeff(); }
  Vector shrunk(VectorRef q, double tau) const override {
    if (tau == 0) return q;
    const Vector size = norms(q);
    Vector x = q;
    // Not below the threshold, rather than above it: what is not a number stays so.
    for (Index g = 0; g < size.size(); ++g) x.segment(g * group_, group_) *= size[g] <= tau ? 0 : 1 - tau / size[g];
    return x;
  }
  Vector projected(VectorRef u, double radius) const override { return shrunk(u, simplex_threshold(norms(u), radius)); }
  std::shared_ptr<const ScaledNorm> with_weight(double weight) const override {
    return std::make_shared<GroupLasso>(weight, group_);
  }
  /// Of a group that is 0: 0.
  std::optional<Vector> subgradient(VectorRef theta) const override {
    const Vector size = norms(theta);
    Vector g = theta;
    for (Index i = 0; i < size.size(); ++i) g.segment(i * group_, group_) *= size[i] == 0 ? 0 : weight() / size[i];
    return g;
  }
  Flops norm_flops(Index d) const override { return 2 * d; }
  Flops prox_flops(Index d) const override { return 3 * d + 3 * (d / group_); }
  Flops subgradient_flops(Index d) const override { return 3 * d + 2 * (d / group_); }

 private:
  Vector norms(VectorRef theta) const { return theta.reshaped(group_, theta.size() / group_).colwise().norm(); }

  Index group_;
};

class NuclearNorm final : public ScaledNorm {
 public:
  NuclearNorm(double weight, IterateShape shape) : ScaledNorm(NuclearOptions::kind, weight), shape_(shape) {}

  double norm(VectorRef theta) const override { return singular_values_alone(theta, shape_).sum(); }
  double dual_norm(VectorRef q) const override { return singular_values_alone(q, shape_)[0]; }
  Vector shrunk(VectorRef q, double tau) const override {
    if (tau == 0) return q;
    const SingularValues svd = singular_values(q, shape_);
    return svd.recomposed((svd.s.array() - tau).cwiseMax(0.0).matrix());
  }
  Vector projected(VectorRef u, double radius) const override {
    const SingularValues svd = singular_values(u, shape_);
    const double theta = simplex_threshold(svd.s, radius);
    if (theta == 0) return u;
    return svd.recomposed((svd.s.array() - theta).cwiseMax(0.0).matrix());
  }
  std::shared_ptr<const ScaledNorm> with_weight(double weight) const override {
    return std::make_shared<NuclearNorm>(weight, shape_);
  }
  std::optional<Vector> subgradient(VectorRef theta) const override {
    const SingularValues svd = singular_values(theta, shape_);
    Vector ones = Vector::Zero(svd.s.size());
    ones.head(svd.rank()).setConstant(weight());
    return svd.recomposed(ones);
  }
  Flops norm_flops(Index d) const override { return d + svd_flops(shape_); }
  Flops prox_flops(Index) const override { return svd_flops(shape_) + recomposition_flops(shape_); }
  Flops subgradient_flops(Index) const override { return svd_flops(shape_) + recomposition_flops(shape_); }

 private:
  IterateShape shape_;
};

}  // namespace

std::shared_ptr<const Regularizer> make_regularizer(const NoneOptions& /*options*/) {
  return make_regularizer(ElasticNetOptions{});
}

std::shared_ptr<const Regularizer> make_regularizer(const L1Options& options) {
  return std::make_shared<L1Norm>(options.weight);
}

std::shared_ptr<const Regularizer> make_regularizer(const L2Options& options) {
  return make_regularizer(ElasticNetOptions{.l1_weight = 0, .l2_weight = options.weight});
}

std::shared_ptr<const Regularizer> make_regularizer(const ElasticNetOptions& options) {
  check_weight("l1", options.l1_weight);
  check_weight("l2", options.l2_weight);
  return std::make_shared<ElasticNet>(options.l1_weight, options.l2_weight);
}

std::shared_ptr<const Regularizer> make_regularizer(const GroupLassoOptions& options, const IterateShape& shape) {
  if (!options.group_size && !shape.is_matrix)
    throw Diagnosed("group_size", "a number, since the model is a vector and has no rows", "null");
  const Index group = options.group_size.value_or(shape.cols);
  if (shape.size() % group != 0)
    throw Diagnosed("group_size", fmt::format("a divisor of {}, the number of coefficients", shape.size()),
                    fmt::format("{}", group));
  return std::make_shared<GroupLasso>(options.weight, group);
}

std::shared_ptr<const Regularizer> make_regularizer(const NuclearOptions& options, const IterateShape& shape) {
  if (!shape.is_matrix)
    throw Diagnosed("kind",
                    fmt::format("a regularizer of vectors, since the model is a vector of {} numbers", shape.size()),
                    std::string(NuclearOptions::kind));
  return std::make_shared<NuclearNorm>(options.weight, shape);
}

}  // namespace lagnet
