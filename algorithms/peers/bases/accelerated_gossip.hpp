#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/interface/algorithm.hpp"

namespace lagnet {

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

/// The option K of methods that multiply with a polynomial of the graph's Laplacian.
struct PolynomialOptions {
  std::optional<std::int64_t> K;
  static void fields(auto& self, auto& field) {
    field("K", self.K,
          "exchanges in each multiplication with a polynomial of the graph's Laplacian, of that degree; 0: with the "
          "Laplacian itself, in one; by default floor(sqrt(chi)), chi the ratio of its largest eigenvalue to its least "
          "non-zero one",
          within(0, 1e9));
  }
  void check(auto&) const {}
};

/// Multiplication with a polynomial P of the graph's Laplacian by exchanges of neighbors (laplacian_polynomial.hpp).
class AcceleratedGossip {
 public:
  /// Throws Diagnosed for a topology that changes, one that is not connected, a K whose coefficients are not finite,
  /// and, in a timing-only run whose eigenvalues are not known, where K is not given. `kind`: the algorithm's name.
  AcceleratedGossip(std::optional<Index> K, const NetworkFacts& network, std::string_view kind);

  Index K() const { return K_; }           // the degree in use, 0 for the Laplacian itself and for one agent
  double chi() const { return chi_; }      // of the graph; 1 for one agent, 0 where it is not known
  double largest() const { return l_1_; }  // l_1 of P; 1 for one agent
  double least() const { return l_n_; }    // l_n of P; 1 for one agent

  /// u <- P u (d), which must stay until the task has ended. Billed (2 deg + 1) d flops for the Laplacian itself, else
  /// (2 deg + 6) d for each of K exchanges; one agent's P is 0, at no cost.
  Task<> multiply(Agent& me, StateVector& u) const;

 private:
  Index K_ = 0, exchanges_ = 0;
  double chi_ = 1, l_1_ = 1, l_n_ = 1;
  std::optional<LaplacianPolynomial> polynomial_;  // nothing for one agent, and where eigenvalues are not known
};

}  // namespace lagnet
