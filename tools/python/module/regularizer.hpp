#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>

#include "algorithms/objectives/prox.hpp"
#include "tools/python/module/held.hpp"

/// A class of lagnet.Regularizer as a regularizer. It has no conjugate.
namespace lagnet::python {

class PythonRegularizer final : public Regularizer {
 public:
  /// Needs the interpreter's lock, which the functions take themselves. What they throw is that of in_python().
  PythonRegularizer(std::string name, pybind11::object instance);

  double value(VectorRef theta) const override;
  Vector prox(VectorRef q, double step) const override;
  double conjugate(VectorRef q) const override;
  std::optional<Vector> subgradient(VectorRef theta) const override;
  std::optional<double> smoothness() const override { return smoothness_; }
  bool has_conjugate() const override { return false; }
  bool is_separable() const override { return is_separable_; }
  Flops prox_flops(Index d) const override { return flops("prox_flops", d); }
  Flops subgradient_flops(Index d) const override { return flops("gradient_flops", d); }

 private:
  Flops flops(const char* function, Index d) const;

  const std::string name_;  // "module:Class"
  const Held instance_;
  std::optional<double> smoothness_;
  bool has_gradient_, is_separable_;
};

}  // namespace lagnet::python
