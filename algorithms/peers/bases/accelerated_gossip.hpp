#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "algorithms/peers/bases/laplacian_polynomial.hpp"

namespace lagnet {

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
