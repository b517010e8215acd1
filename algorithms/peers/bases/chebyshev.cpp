#include "algorithms/peers/bases/chebyshev.hpp"

#include <cmath>
#include <limits>

namespace lagnet {

namespace {

/// Eigenvalues that are this close are one: of a complete graph, and of two agents.
constexpr double one_eigenvalue = 1e-12;

}  // namespace

Chebyshev::Chebyshev(double lowest, double second) : a_(lowest), b_(second) {
  c_ = b_ - a_ < one_eigenvalue ? std::numeric_limits<double>::infinity() : (2 - a_ - b_) / (b_ - a_);
}

bool Chebyshev::ends_at_mean() const { return std::isinf(c_); }

double Chebyshev::factor(Index K) const {
  return ends_at_mean() ? 0 : 1 / std::cosh(static_cast<double>(K) * std::acosh(c_));
}

Index Chebyshev::rounds_for(double target) const {
  if (factor(1) <= target) return 1;
  auto K = static_cast<Index>(std::ceil(std::acosh(1 / target) / std::acosh(c_)));
  while (K > 1 && factor(K - 1) <= target) --K;
  while (factor(K) > target) ++K;
  return K;
}

Chebyshev::Weights Chebyshev::Recursion::next() {
  // With one eigenvalue a below 1 the first round ends at the mean, (W u - a u) / (1 - a), which more rounds keep.
  if (std::isinf(all_.c_)) return {.of_mixed = 1 / (1 - all_.a_), .of_last = -all_.a_ / (1 - all_.a_), .of_older = 0};
  const bool is_first = p_ == 0;
  const double before = p_;
  p_ = is_first ? 1 / all_.c_ : 1 / (2 * all_.c_ - before);
  const double scale = (is_first ? 1 : 2) * p_ / (all_.b_ - all_.a_);  // of 2 W - (a + b)
  return {.of_mixed = 2 * scale, .of_last = -(all_.a_ + all_.b_) * scale, .of_older = is_first ? 0 : -p_ * before};
}

}  // namespace lagnet
