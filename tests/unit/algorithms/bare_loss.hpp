#pragma once

#include <memory>
#include <utility>

#include "algorithms/objectives/loss.hpp"
#include "sim/base/errors.hpp"

namespace lagnet::test {

/// A loss of which nothing but values and derivatives is there, over samples at once.
class BareLoss final : public Loss {
 public:
  explicit BareLoss(std::shared_ptr<const Loss> full) : full_(std::move(full)) {}

  std::string_view kind() const override { return "bare"; }
  double value(double a, double y) const override { return full_->value(a, y); }
  double derivative(double, double) const override { throw InternalError("one sample at a time"); }
  double curvature(double, double) const override { throw InternalError("no curvature"); }
  double conjugate(double, double) const override { throw InternalError("no conjugate"); }
  double prox_conjugate(double, double, double) const override { throw InternalError("no conjugate"); }
  double total(VectorRef a, VectorRef y) const override { return full_->total(a, y); }
  double total_conjugate(VectorRef, VectorRef) const override { throw InternalError("no conjugate"); }
  Vector derivative(VectorRef a, VectorRef y) const override { return full_->derivative(a, y); }
  Vector curvature(VectorRef, VectorRef) const override { throw InternalError("no curvature"); }
  void prox_conjugate(Eigen::Ref<Vector>, VectorRef, double) const override { throw InternalError("no conjugate"); }

  std::optional<double> smoothness() const override { return full_->smoothness(); }
  bool has_curvature() const override { return false; }
  bool has_conjugate() const override { return false; }
  bool prefers_samples_at_once() const override { return true; }

 private:
  std::shared_ptr<const Loss> full_;
};

}  // namespace lagnet::test
