#pragma once

#include <optional>

#include "sim/base/array.hpp"

namespace lagnet {

/// A symmetric matrix (n x n) by its products. One type for all: Spectra takes seconds to compile for each.
class SymmetricOperator {
 public:
  using Scalar = double;
  virtual ~SymmetricOperator() = default;
  virtual Index rows() const = 0;  // n
  Index cols() const { return rows(); }
  virtual void perform_op(const double* x, double* y) const = 0;  // y = A x
};

struct Eigenpair {
  double value;
  Vector vector;  // of length 1 (n)
};

struct LanczosOptions {
  Index vectors;     // of the basis, at most; more than one
  Index restarts;    // at most
  double tolerance;  // of the residual, relative to the eigenvalue, or to 1e-11 where that is smaller
};

/// The largest eigenvalue of A by the Lanczos method (Spectra) from `start` (n); nothing if it is not found within the
/// restarts, or if the inner QR iteration gives up.
std::optional<Eigenpair> largest_eigenpair(SymmetricOperator& A, const Vector& start, const LanczosOptions& options);

}  // namespace lagnet
