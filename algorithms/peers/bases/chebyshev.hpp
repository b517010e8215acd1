#pragma once

#include "sim/base/array.hpp"

/// Chebyshev-accelerated gossip. With a and b the smallest eigenvalue of W and its largest below 1, c = (2 - a - b) /
/// (b - a) and B v = (2 W v - (a + b) v) / (b - a), K rounds are
///
///     x_0 = u,   p_1 = 1 / c,   x_1 = p_1 B x_0
///     p_{k+1} = 1 / (2 c - p_k),   x_{k+1} = 2 p_{k+1} B x_k - p_{k+1} p_k x_{k-1}
///
/// a polynomial of W that keeps the mean and multiplies the distance from it by at most 1 / cosh(K arccosh c), which no
/// polynomial of its degree improves for all spectra in [a, b]. Rounds to a given factor grow as the square root of
/// what plain gossip takes. Where a = b one round ends at the mean, (W u - a u) / (1 - a). Entries may be negative.
/// Source: M. Arioli, J. Scott, "Chebyshev acceleration of iterative refinement", Numerical Algorithms 2014; in gossip:
/// K. Scaman, F. Bach, S. Bubeck, Y. T. Lee, L. Massoulie, "Optimal algorithms for smooth and strongly convex
/// distributed optimization in networks", ICML 2017.
namespace lagnet {

class Chebyshev {
 public:
  Chebyshev() = default;  // of a timing-only run, where no eigenvalue is known
  /// -1 < lowest <= second < 1, or their bounds.
  Chebyshev(double lowest, double second);

  double factor(Index K) const;  // 1 / cosh(K arccosh c); 0 where a = b
  /// Whether one round is all that there is to do: a = b, as on a complete graph.
  bool ends_at_mean() const;
  /// The smallest K of at least 1 with factor(K) <= target, 0 < target < 1.
  Index rounds_for(double target) const;

  /// x_{k+1} = of_mixed W x_k + of_last x_k + of_older x_{k-1}.
  struct Weights {
    double of_mixed = 0, of_last = 0, of_older = 0;
  };
  class Recursion {
   public:
    explicit Recursion(const Chebyshev& all) : all_(all) {}
    Weights next();

   private:
    const Chebyshev& all_;
    double p_ = 0;  // p_k
  };

 private:
  double a_ = 0, b_ = 0;
  double c_ = 0;  // infinite where a = b
};

}  // namespace lagnet
