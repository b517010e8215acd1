#include "algorithms/peers/bases/accelerated_gossip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "algorithms/peers/bases/mixing.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

/// The agent's row of the Laplacian: its degree, and -1 for each neighbor.
GossipRow laplacian_row(const Agent& me) {
  GossipRow row{.own = static_cast<double>(me.degree()), .neighbors = {}};
  if (!me.timing_only()) row.neighbors.assign(static_cast<std::size_t>(me.degree()), -1);
  return row;
}

}  // namespace

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
