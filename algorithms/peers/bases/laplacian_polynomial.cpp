#include "algorithms/peers/bases/laplacian_polynomial.hpp"

#include <fmt/format.h>

#include <cmath>

namespace lagnet {

namespace {

/// The accuracy of eigenvalues. Only a complete graph has a ratio this close to 1.
constexpr double laplacian_rounding = 1e-9;

double condition(GraphSpectrum graph) {
  if (!(graph.least > 0 && graph.largest >= graph.least && std::isfinite(graph.largest)))
    throw Diagnosed("kind", "a connected graph",
                    fmt::format("one whose Laplacian has a second eigenvalue {}", graph.least));
  return graph.largest / graph.least;
}

}  // namespace

Index LaplacianPolynomial::usual_degree(GraphSpectrum graph) {
  return static_cast<Index>(std::floor(std::sqrt(condition(graph)) * (1 + laplacian_rounding)));
}

LaplacianPolynomial::LaplacianPolynomial(Index K, GraphSpectrum graph) {
  const double chi = condition(graph), lmax = graph.largest;
  if (K == 0) {
    is_plain_ = true;
    largest_ = lmax;
    least_ = graph.least;
    return;
  }
  if (chi - 1 < laplacian_rounding) {
    first_ = {.of_product = -1 / lmax, .of_last = 1};  // u - (u - Wl u / lmax)
    return;
  }
  const double c2 = (chi + 1) / (chi - 1), c3 = 2 * chi / ((1 + chi) * lmax);
  if (!std::isfinite(std::cosh(static_cast<double>(K) * std::acosh(c2))))
    throw Diagnosed(
        "K", fmt::format("a degree whose polynomial has finite coefficients; {} is usual here", usual_degree(graph)),
        fmt::format("{}", K));
  exchanges_ = K;
  first_ = {.of_product = -c2 * c3, .of_last = c2};
  later_ = {.of_product = -2 * c2 * c3, .of_last = 2 * c2};
  double before = 1;
  a_K_ = c2;
  for (Index k = 1; k < K; ++k) {
    const double next = 2 * c2 * a_K_ - before;
    before = a_K_;
    a_K_ = next;
  }
  largest_ = 1 + 1 / a_K_;
  least_ = 1 - 1 / a_K_;
}

}  // namespace lagnet
