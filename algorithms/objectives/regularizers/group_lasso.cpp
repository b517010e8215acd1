#include "algorithms/objectives/regularizers/group_lasso.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/objectives/option_error.hpp"
#include "algorithms/objectives/scaled_norm.hpp"

namespace lagnet {
namespace {

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

}  // namespace

std::shared_ptr<const Regularizer> make_regularizer(const GroupLassoOptions& options, const IterateShape& shape) {
  if (!options.group_size && !shape.is_matrix)
    throw OptionError("group_size", "a number, since what is sought is a vector and has no rows", "null");
  const Index group = options.group_size.value_or(shape.cols);
  if (shape.size() % group != 0)
    throw OptionError("group_size", fmt::format("a divisor of {}, the number of coefficients", shape.size()),
                      fmt::format("{}", group));
  return std::make_shared<GroupLasso>(options.weight, group);
}

}  // namespace lagnet
