#include "algorithms/peers/bases/accelerated_gossip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "algorithms/peers/bases/mixing.hpp"
#include "sim/base/errors.hpp"

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

/// The agent's row of the Laplacian: its degree, and -1 for each neighbor.
GossipRow laplacian_row(const Agent& me) {
  GossipRow row{.own = static_cast<double>(me.degree()), .neighbors = {}};
  if (!me.timing_only()) row.neighbors.assign(static_cast<std::size_t>(me.degree()), -1);
  return row;
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

AcceleratedGossip::AcceleratedGossip(std::optional<Index> K, const NetworkFacts& network, std::string_view kind) {
  if (network.agents == 1) return;
  if (network.changes)
    throw Diagnosed("kind", fmt::format("a topology that stays as it is, since {} needs every exchange", kind),
                    "one that changes");
  if (network.graphs.empty()) {  // of a fleet without numbers
    if (!K)
      throw Diagnosed("K", "a number, since the eigenvalues of a fleet are not computed with numerics off", "null");
    K_ = *K;
    exchanges_ = std::max<Index>(K_, 1);
    chi_ = 0;
    return;
  }
  LAGNET_CHECK(network.graphs.size() == 1, "spectra of {} graphs of a topology that stays", network.graphs.size());
  const GraphSpectrum graph = network.graphs.front();
  polynomial_.emplace(K ? *K : LaplacianPolynomial::usual_degree(graph), graph);
  chi_ = graph.largest / graph.least;
  exchanges_ = polynomial_->exchanges();
  K_ = polynomial_->is_plain() ? 0 : exchanges_;
  l_1_ = polynomial_->largest();
  l_n_ = polynomial_->least();
}

Task<> AcceleratedGossip::multiply(Agent& me, StateVector& u) const {
  const Index d = u.size();
  if (exchanges_ == 0) {
    auto clear = [&] { u.setZero(); };
    co_await me.compute(Cost(), clear);
    co_return;
  }
  const GossipRow row = laplacian_row(me);
  if (K_ == 0) {
    u = co_await me.neighbor_mix(u, row);  // Wl u
    co_await me.compute(mixing_cost(me, d));
    co_return;
  }
  StateVector x = u;   // x_k       (d)
  StateVector before;  // x_{k-1}   (d)
  for (Index k = 0; k < exchanges_; ++k) {
    StateVector next = co_await me.neighbor_mix(x, row);  // Wl x_k, then x_{k+1}   (d)
    const auto combine = [&] {
      const auto [of_product, of_last] = polynomial_->step(k);
      next = of_product * next + of_last * x;
      if (k > 0) next -= before;
      if (k + 1 == exchanges_) u -= next / polynomial_->scale();
    };
    co_await me.compute(mixing_cost(me, d) + Cost{5 * d, Bytes{sizeof(double)} * 5 * d}, combine);
    before = std::move(x);
    x = std::move(next);
  }
}

}  // namespace lagnet
