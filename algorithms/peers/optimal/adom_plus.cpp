#include "algorithms/peers/optimal/adom_plus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/peers/bases/mixing.hpp"

namespace lagnet {

namespace {

/// A given bound on chi may have been rounded to some digits.
constexpr double digits_of_chi = 1e-9;

/// The largest ratio of a graph's eigenvalues; 1 for one agent.
double chi_of(const NetworkFacts& network) {
  double chi = 1;
  if (network.agents == 1) return chi;
  for (const GraphSpectrum& graph : network.graphs) {
    if (!(graph.least > 0)) throw Diagnosed("kind", "connected graphs", "one that is not");
    chi = std::max(chi, graph.largest / graph.least);
  }
  return chi;
}

}  // namespace

Task<> AdomPlus::run(Agent& me) const {
  const auto [nu, t1, t2, s1, s2, eta, theta, alpha, beta, gamma, delta, zeta] = steps_;
  const double D = (1 + eta * alpha) * (1 + theta * beta) + eta * theta;
  StateVector x = me.vector(d());         // the iterate                                      (d)
  StateVector y = x, z = x;               // own dual variables                               (d)
  StateVector xf = x, yf = x, zf = x;     // extrapolated ones                                (d)
  StateVector xg = x, yg = x, zg = x;     // between x and xf, y and yf, z and zf             (d)
  StateVector x_new = x, y_new = x;       // the next ones                                    (d)
  StateVector h = x, w = x;               // gradient of f_i less nu x; (yg + zg) / nu         (d)
  StateVector A = x, B = x;               // right sides of the implicit lines                (d)
  StateVector mm = x;                     // what the last exchange left of v                 (d)
  StateVector sent = me.vector(2 * d());  // v, and below it yg + zg                          (2 d)
  StateVector moved = sent;               // W_t of both                                      (2 d)
  StateVector sum;                        // of the neighbors' vectors                        (2 d)
  double degree = 0, lmax = 1;            // of the round's graph

  auto prepare = [&] {
    xg = t1 * x + (1 - t1) * xf;  // (1)
    yg = s1 * y + (1 - s1) * yf;
    zg = s1 * z + (1 - s1) * zf;
    h = gradient(me.id(), xg) - nu * xg;  // (2)
    sent.tail(d()) = yg + zg;
    w = sent.tail(d()) / nu;
    A = x + eta * alpha * xg - eta * h;  // (3)
    B = y + theta * beta * h - theta * w;
    x_new = (1 + theta * beta) / D * A + eta / D * B;  // (4)
    y_new = (1 + eta * alpha) / D * B - theta / D * A;
    sent.head(d()) = gamma * w + mm;  // (5)
  };
  auto finish = [&] {
    moved = (degree * sent - sum) / lmax;
    z = z + gamma * delta * (zg - z) - moved.head(d());  // (6)
    mm = sent.head(d()) - moved.head(d());
    zf = zg - zeta * moved.tail(d());
    xf = xg + t2 * (x_new - x);  // (7)
    yf = yg + s2 * (y_new - y);
    x = x_new;
    y = y_new;
  };

  me.report(0, x);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(gradient_work(me.id()) + vector_work(29, 22), prepare);
    sum = co_await me.neighbor_sum(sent);
    const Index came = me.degree() - std::ssize(me.absent());
    degree = static_cast<double>(came);
    if (came > 0 && !me.timing_only()) lmax = given().network.graphs[given().network.turns.of(t)].largest;
    co_await me.compute(mixing_cost(me, 2 * d()) + vector_work(13, 18), finish);
    me.report(t, x);
  }
}

AdomPlus::Steps AdomPlus::steps_of(double mu, double L, double chi) {
  const double root = std::sqrt(mu / L), nu = mu / 2, s2 = root / (16 * chi);
  return {.nu = nu,
          .t1 = 1 / (1 / root + 0.5),
          .t2 = root,
          .s1 = 1 / (1 / s2 + 0.5),
          .s2 = s2,
          .eta = 1 / (L * root),
          .theta = nu / (4 * s2),
          .alpha = mu / 2,
          .beta = 1 / (2 * L),
          .gamma = nu / (14 * s2 * chi * chi),
          .delta = 1 / (17 * L),
          .zeta = 0.5};
}

AdomPlus::AdomPlus(const AdomPlusOptions& options, MethodInput input)
    : StronglyConvexPeers(options, std::move(input), AdomPlusOptions::kind, AdomPlusOptions::traits) {
  const NetworkFacts& network = given().network;
  if (network.agents > 1 && network.changes && network.graphs.empty() && !given().timing_only)
    throw Diagnosed("kind", "a topology that stays, or a sequence of graphs, for adom_plus",
                    "one that changes otherwise");
  if (given().timing_only) return;
  const double least = chi_of(network), chi = options.chi.value_or(least);
  if (!(chi >= least * (1 - digits_of_chi)))
    throw Diagnosed("chi", fmt::format("at least {:.10g}, that of the graphs", least), fmt::format("{}", chi));
  steps_ = steps_of(mu(), L(), chi);
  add_constants({{"mu", mu()}, {"L", L()}, {"chi", chi}});
}

std::optional<Bytes> AdomPlus::memory() const {
  return *PeerAlgorithm::memory() + Bytes{sizeof(double)} * 14 * given().network.agents * d();
}

}  // namespace lagnet
