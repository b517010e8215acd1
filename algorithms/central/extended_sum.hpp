#pragma once

#include <cmath>
#include <limits>

#include "algorithms/problem/problem.hpp"

namespace lagnet {

/// Half the distance from 1 to the next double: what rounding to nearest adds, relative to the result.
inline constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;

/// A sum of products of doubles in extended precision, with what each addition rounds off added up beside it (Knuth,
/// "The Art of Computer Programming", volume 2, section 4.2.2, theorem B), and a bound on its error.
class ExtendedSum {
 public:
  void add(long double term) {
    const long double next = sum_ + term, part = next - sum_;
    lost_ += (sum_ - (next - part)) + (term - part);
    sum_ = next;
    size_ += std::abs(static_cast<double>(term));
  }
  double value() const { return static_cast<double>(sum_ + lost_); }
  /// |value() - the sum| is at most this: each product and the last addition round once in extended precision, and the
  /// result once to double. Terms of second order are far below the factor 1.01 for less than 1e9 of them.
  double error() const {
    constexpr double extended = static_cast<double>(std::numeric_limits<long double>::epsilon());
    return 1.01 * (extended * size_ + unit_roundoff * std::abs(value()));
  }

 private:
  long double sum_ = 0, lost_ = 0;
  double size_ = 0;  // of the terms
};

/// |value - the exact vector| <= error, entry by entry.
struct BoundedVector {
  Vector value, error;
};

/// X theta (n), or (n c).
BoundedVector bounded_scores(const Problem& problem, VectorRef theta);
/// sum_i lam_i x_i (dim) for all lam with |lam - center| <= radius, (n), or (n c).
BoundedVector bounded_pull(const Problem& problem, VectorRef center, VectorRef radius);

}  // namespace lagnet
