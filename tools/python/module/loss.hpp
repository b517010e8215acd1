#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <string_view>

#include "algorithms/objectives/loss.hpp"
#include "tools/python/module/held.hpp"

/// A class of lagnet.Loss as a loss of one score a sample. Its functions take all samples at once. It has no conjugate.
namespace lagnet::python {

class PythonLoss final : public Loss {
 public:
  /// Needs the interpreter's lock, which the functions take themselves. What they throw is that of in_python().
  PythonLoss(std::string name, pybind11::object instance);

  std::string_view kind() const override { return name_; }

  double value(double a, double y) const override { return one("value", a, y); }
  double derivative(double a, double y) const override { return one("derivative", a, y); }
  double curvature(double a, double y) const override { return one("curvature", a, y); }
  double conjugate(double lam, double y) const override;
  double prox_conjugate(double u, double y, double c) const override;

  /// Added up in the order of the samples, as of lagnet's own losses.
  double total(VectorRef a, VectorRef y) const override;
  double total_conjugate(VectorRef lam, VectorRef y) const override;
  Vector derivative(VectorRef a, VectorRef y) const override { return all("derivative", a, y); }
  Vector curvature(VectorRef a, VectorRef y) const override { return all("curvature", a, y); }
  void prox_conjugate(Eigen::Ref<Vector> lam, VectorRef y, double c) const override;

  std::optional<double> lipschitz() const override { return lipschitz_; }
  std::optional<double> smoothness() const override { return smoothness_; }
  bool may_be_smooth() const override { return true; }
  bool has_curvature() const override { return has_curvature_; }
  bool has_conjugate() const override { return false; }
  bool prefers_samples_at_once() const override { return true; }
  bool attains_infimum() const override { return attains_infimum_; }
  std::optional<std::string> label_problem(double y) const override;

 private:
  double one(const char* function, double a, double y) const;
  Vector all(const char* function, VectorRef a, VectorRef y) const;

  const std::string name_;  // "module:Class"
  const Held instance_;
  std::optional<double> lipschitz_, smoothness_;
  bool has_curvature_, attains_infimum_, judges_labels_;
};

}  // namespace lagnet::python
