#include "algorithms/federated/bases/coin_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lagnet {

Index CoinMethod::local_steps(const Agent& me, Round round) const {
  Draws coin(me.seed(), Purpose{"proxskip"}, server_agent, round);
  Index T = 1;
  while (coin.uniform() >= p_) ++T;
  return T;
}

CoinMethod::CoinMethod(std::string_view kind, const AlgorithmTraits& traits, const Coin& coin, MethodInput given,
                       Index client_vectors)
    : CompositeMethod(kind, traits, std::move(given), client_vectors) {
  std::optional<double> L = coin.L;
  if (has_numbers() && (!coin.step || !coin.p)) {
    L = largest_curvature_of_parts(coin.L);
    add_constant("L", *L);
  }
  if (coin.step || L) s_ = coin.step ? *coin.step : 1 / *L;
  if (coin.p) {
    p_ = *coin.p;
  } else {
    if (!has_numbers() && !(coin.mu && coin.L))
      throw Diagnosed("p", "a number above 0 and at most 1, or mu and L, since a run without numbers finds neither",
                      "null");
    const double mu = strong_convexity_of_parts(coin.mu, *L);
    add_constant("mu", mu);
    p_ = std::min(1.0, std::sqrt(coin.throws * mu / *L));
    if (p_ < least_p)
      throw Diagnosed("p", fmt::format("a number, since 1/sqrt(kappa) = {:.3g} is below 1e-6", p_), "null");
  }
  if (s_ > 0) add_constant("step", s_);
  add_constant("p", p_);
}

}  // namespace lagnet
