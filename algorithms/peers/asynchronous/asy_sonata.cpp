#include "algorithms/peers/asynchronous/asy_sonata.hpp"

#include <utility>

#include "algorithms/peers/asynchronous/asynchronous_peers.hpp"
#include "algorithms/peers/bases/mixing.hpp"

namespace lagnet {

namespace {

/// An agent's state for one neighbor j.
struct Tracked {
  StateVector v_j;      // the newest that came                  (d)
  StateVector rho_in;   // rho_ij, the newest that came           (d)
  StateVector used;     // used_ij                                (d)
  StateVector rho_out;  // rho_ji, the sum for the neighbor       (d)
  Tracked(const StateVector& start, const StateVector& zero) : v_j(start), rho_in(zero), used(zero), rho_out(zero) {}
};

}  // namespace

Task<> AsySonata::run(Agent& me) const {
  const AgentId i = me.id();
  const GossipRow& w = gossip_row(given().network.gossip, me);  // row i of W; W is symmetric, so also column i of A
  const Index degree = me.degree();
  const Cost work = gradient_work(i) + vector_work(4 * degree + 8, 4 * degree + 8);
  StateVector x = start(me);                     // the iterate                            (d)
  StateVector z = me.vector(d()), g = z, v = z;  // part of the tracked gradient, the last gradient, what is mixed   (d)
  StateVector h = z, new_g = z;                  //                                        (d)
  StateVector kept = z;                          // its part of a sum that is always 0                (d)
  std::vector<Tracked> with(me.neighbors().size(), Tracked(x, z));
  NewestValues newest(me);
  Ticker ticker(me, nullptr);

  auto start = [&] { g = z = gradient(i, x); };
  auto mix = [&] {
    v = x - gamma_ * z;
    x = w.own * v;
    for (std::size_t j = 0; j < with.size(); ++j) x += w.neighbors[j] * with[j].v_j;  // (1)
  };
  auto compute = [&] { new_g = gradient(i, x); };  // (2)
  auto track = [&] {
    h = z + new_g - g;
    for (Tracked& j : with) {
      h += j.rho_in - j.used;
      j.used = j.rho_in;
    }
    g = new_g;  // (3)
    z = w.own * h;
    for (std::size_t j = 0; j < with.size(); ++j) with[j].rho_out += w.neighbors[j] * h;  // (4)
  };
  const auto take = [&](std::size_t j, const Payload& body) {
    if (me.timing_only()) return;
    with[j].v_j = body.view().head(d());
    with[j].rho_in = body.view().tail(d());
  };

  me.report(0, x, kept);
  co_await me.compute(gradient_work(i), start);
  for (Round n = 0;; ++n) {
    if (const Time tick = ticker.next(me); tick > me.now()) co_await me.sleep(tick - me.now());
    ticker.take(me);
    const Time began = me.now();
    newest.drain(me, take);
    newest.tell(me);
    me.at_once(0, mix);
    co_await me.update(n, work, compute);
    newest.drain(me, take);
    me.at_once(0, track);
    if (!me.timing_only()) {
      kept = z - g;
      for (const Tracked& j : with) kept += j.rho_out - j.used;
    }
    me.report(n + 1, x, kept);
    for (std::size_t j = 0; j < with.size(); ++j)
      me.send(me.neighbors()[j], n + 1, Payload::joined(v, with[j].rho_out));
    check_time_passes(me, began);
  }
}

AsySonata::AsySonata(const AsySonataOptions& options, MethodInput input)
    : AsynchronousPeers(std::move(input), AsySonataOptions::kind, AsySonataOptions::traits),
      gamma_(positive("step", options.step)) {}

}  // namespace lagnet
