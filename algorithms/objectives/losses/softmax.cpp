#include "algorithms/objectives/losses/softmax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sim/base/diagnostic.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {
namespace {

constexpr double most_classes = 65536;

class SoftmaxLoss final : public Loss {
 public:
  explicit SoftmaxLoss(Index classes) : c_(classes) {}

  std::string_view kind() const override { return SoftmaxOptions::kind; }
  Index outputs() const override { return c_; }

  double value(double, double) const override { return refuse(); }
  double derivative(double, double) const override { return refuse(); }
  double curvature(double, double) const override { return refuse(); }
  double conjugate(double, double) const override { return refuse(); }
  double prox_conjugate(double, double, double) const override { return refuse(); }
  Vector curvature(VectorRef, VectorRef) const override { return Vector::Constant(1, refuse()); }
  void prox_conjugate(Eigen::Ref<Vector>, VectorRef, double) const override { refuse(); }

  double total(VectorRef a, VectorRef y) const override {
    check_sizes(a, y);
    double sum = 0;
    for (Index i = 0; i < y.size(); ++i) {
      const auto scores = a.segment(i * c_, c_);
      const double largest = scores.maxCoeff();  // taken out, so that nothing overflows
      sum += largest + std::log((scores.array() - largest).exp().sum()) - scores[class_of(y[i])];
    }
    return sum;
  }

  /// Where rounding has left p a little outside of the simplex, it counts as inside.
  double total_conjugate(VectorRef lam, VectorRef y) const override {
    check_sizes(lam, y);
    constexpr double slack = 1e-12;
    double sum = 0;
    for (Index i = 0; i < y.size(); ++i) {
      Vector p = lam.segment(i * c_, c_);
      p[class_of(y[i])] += 1;
      if (p.minCoeff() < -slack || std::abs(p.sum() - 1) > slack) return std::numeric_limits<double>::infinity();
      for (const double p_k : p) sum += p_k > 0 ? p_k * std::log(p_k) : 0;
    }
    return sum;
  }

  Vector derivative(VectorRef a, VectorRef y) const override {
    check_sizes(a, y);
    Vector result(a.size());
    for (Index i = 0; i < y.size(); ++i) {
      auto p = result.segment(i * c_, c_);
      p = (a.segment(i * c_, c_).array() - a.segment(i * c_, c_).maxCoeff()).exp();
      p /= p.sum();
      p[class_of(y[i])] -= 1;
    }
    return result;
  }

  std::optional<double> lipschitz() const override { return std::numbers::sqrt2; }
  std::optional<double> smoothness() const override { return 0.5; }
  std::optional<std::string> label_problem(double y) const override {
    if (y == std::floor(y) && y >= 0 && y < static_cast<double>(c_)) return std::nullopt;
    return fmt::format("a class, an integer from 0 to {}", c_ - 1);
  }

 private:
  static Index class_of(double y) { return static_cast<Index>(y); }
  [[noreturn]] double refuse() const {
    throw InternalError("a form of one score is asked of a loss that has one for each class");
  }
  void check_sizes(VectorRef a, VectorRef y) const {
    LAGNET_CHECK(a.size() == c_ * y.size(), "{} scores for {} labels of {} classes", a.size(), y.size(), c_);
  }

  Index c_;
};

}  // namespace

std::shared_ptr<const Loss> make_loss(const SoftmaxOptions& options, VectorRef labels) {
  if (options.classes) return std::make_shared<SoftmaxLoss>(*options.classes);
  if (labels.size() == 0) throw Diagnosed("classes", "a number of classes, since no labels determine it", "null");
  // What cannot be a label is not counted here; it is a problem of the data.
  double largest = 1;
  for (const double y : labels)
    if (y < most_classes) largest = std::max(largest, std::floor(y));
  return std::make_shared<SoftmaxLoss>(static_cast<Index>(largest) + 1);
}

}  // namespace lagnet
