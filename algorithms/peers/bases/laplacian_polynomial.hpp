#pragma once

#include "algorithms/interface/algorithm.hpp"

/// Polynomials of a graph's Laplacian Wl that are as well conditioned as their degree allows. With lmax and lmin its
/// largest and least non-zero eigenvalues, chi = lmax / lmin, c2 = (chi + 1) / (chi - 1), c3 = 2 chi / ((1 + chi)
/// lmax),
///
///     a_0 = 1,   a_1 = c2,                a_{k+1} = 2 c2 a_k - a_{k-1}
///     x_0 = u,   x_1 = c2 (u - c3 Wl u),  x_{k+1} = 2 c2 (x_k - c3 Wl x_k) - x_{k-1}
///     P_K(Wl) u = u - x_K / a_K
///
/// whose null space is that of Wl, and whose other eigenvalues lie in [1 - e, 1 + e], e = 1 / a_K = 2 q^K / (1 + q^2K),
/// q = (sqrt(chi) - 1) / (sqrt(chi) + 1). For K of the order of sqrt(chi) their ratio is a constant. Degree 0 stands
/// for Wl itself; where chi = 1 it is Wl / lmax, whatever K. Source: K. Scaman, F. Bach, S. Bubeck, Y. T. Lee, L.
/// Massoulie, "Optimal algorithms for smooth and strongly convex distributed optimization in networks", ICML 2017,
/// algorithm 2 (AcceleratedGossip).
namespace lagnet {

class LaplacianPolynomial {
 public:
  /// K >= 0. Throws Diagnosed, for the option `K`, unless 0 < least <= largest, and where a_K is not finite.
  LaplacianPolynomial(Index K, GraphSpectrum graph);
  /// floor(sqrt(chi)).
  static Index usual_degree(GraphSpectrum graph);

  Index exchanges() const { return exchanges_; }  // products with Wl
  bool is_plain() const { return is_plain_; }     // Wl itself
  double largest() const { return largest_; }     // l_1, the largest eigenvalue that it can have
  double least() const { return least_; }         // l_n, the least non-zero one

  /// x_{k+1} = of_product Wl x_k + of_last x_k - x_{k-1}, the last term from the second step on.
  struct Weights {
    double of_product = 0, of_last = 0;
  };
  Weights step(Index k) const { return k == 0 ? first_ : later_; }
  /// P u = u - x_K / scale().
  double scale() const { return a_K_; }

 private:
  Index exchanges_ = 1;
  bool is_plain_ = false;
  double largest_ = 1, least_ = 1;
  Weights first_, later_;
  double a_K_ = 1;
};

}  // namespace lagnet
