#include "algorithms/objectives/regularizers/nuclear.hpp"

#include <fmt/format.h>

#include "algorithms/objectives/option_error.hpp"
#include "algorithms/objectives/scaled_norm.hpp"
#include "algorithms/objectives/singular_values.hpp"

namespace lagnet {
namespace {

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

std::shared_ptr<const Regularizer> make_regularizer(const NuclearOptions& options, const IterateShape& shape) {
  if (!shape.is_matrix)
    throw OptionError(
        "kind", fmt::format("a regularizer of vectors, since {} coefficients are sought and no matrix", shape.size()),
        std::string(NuclearOptions::kind));
  return std::make_shared<NuclearNorm>(options.weight, shape);
}

}  // namespace lagnet
