#include "algorithms/peers/asynchronous/pairwise_gossip.hpp"

#include <memory>

#include "algorithms/local/local_fits.hpp"
#include "algorithms/peers/asynchronous/asynchronous_peers.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

/// The place of a neighbor among neighbors().
std::size_t place_of(const Agent& me, AgentId neighbor) {
  const auto all = me.neighbors();
  return static_cast<std::size_t>(std::ranges::lower_bound(all, neighbor) - all.begin());
}

/// An agent's state of its exchanges with one neighbor.
struct Exchanged {
  StateVector S;     // what was taken over from the neighbor in exchanges that it began   (d)
  StateVector seen;  // what the neighbor had taken over from here, as of its last answer   (d)
  Round c = 0, seen_count = 0;
  explicit Exchanged(const StateVector& zero) : S(zero), seen(zero) {}
};

}  // namespace

Task<> PairwiseGossip::additive(Agent& me) const {
  const Index d = given().problem.dim();
  StateVector x = me.vector(d);  // own estimate of the mean                    (d)
  std::vector<Exchanged> with(me.neighbors().size(), Exchanged(me.vector(d)));
  Ticker ticker(me, clocks_);
  Round n = 0;             // requests served
  std::int64_t asked = 0;  // exchanges begun
  StateVector kept = x;    // its part of the sum that is kept             (d)

  if (!me.timing_only()) x = start_[me.id()];
  const auto report = [&] {
    if (!me.timing_only()) {
      kept = x;
      for (const Exchanged& one : with) kept += one.seen - one.S;
    }
    me.report(n, x, kept);
  };
  report();
  while (me.degree() > 0) {
    const AgentEvent event = co_await me.next_event(ticker.next(me));
    const Message& m = event.message;
    if (event.kind == AgentEvent::Kind::time) {
      if (ticker.next(me) > me.now()) continue;  // it was down when the clock ticked
      ticker.take(me);
      const AgentId j = me.neighbors()[chosen_neighbor(choose_, me, asked++)];
      me.send(j, n, x, request_tag);
    } else if (m.tag == request_tag) {
      Exchanged& i = with[place_of(me, m.from)];
      me.at_once(3 * d, [&] {
        const Vector delta = (m.body.view() - x) / 2;
        x += delta;
        i.S += delta;  // (1)
      });
      ++i.c;
      ++n;
      me.send(m.from, i.c, i.S, reply_tag);
      report();
    } else if (Exchanged& j = with[place_of(me, m.from)]; m.round > j.seen_count) {
      me.at_once(2 * d, [&] {
        x -= m.body.view() - j.seen;  // (2)
        j.seen = m.body.view();
      });
      j.seen_count = m.round;
      report();
    }
  }
}

Task<> PairwiseGossip::locked(Agent& me) const {
  const Index d = given().problem.dim();
  StateVector x = me.vector(d);  // own estimate of the mean   (d)
  Ticker ticker(me, clocks_);
  Round n = 0;             // requests served
  std::int64_t asked = 0;  // exchanges begun
  bool is_busy = false;    // waits for an answer

  if (!me.timing_only()) x = start_[me.id()];
  const auto average = [&](const Message& m) {
    me.at_once(2 * d, [&] { x = (x + m.body.view()) / 2; });
    me.report(n, x);
  };
  me.report(0, x);
  while (me.degree() > 0) {
    const Time until = is_busy ? Time::never() : ticker.next(me);  // ticks while it is busy are missed
    const AgentEvent event = co_await me.next_event(until);
    const Message& m = event.message;
    if (event.kind == AgentEvent::Kind::time) {
      if (ticker.next(me) > me.now()) continue;  // it was down when the clock ticked
      ticker.take(me);
      is_busy = true;
      const AgentId j = me.neighbors()[chosen_neighbor(choose_, me, asked++)];
      me.send(j, n, x, request_tag);
    } else if (m.tag == request_tag && is_busy) {
      me.send(m.from, n, Payload::of_size(0), refusal_tag);
    } else if (m.tag == request_tag) {
      me.send(m.from, n, x, reply_tag);
      ++n;
      average(m);
    } else {
      is_busy = false;
      if (m.tag == reply_tag) average(m);
    }
  }
}

PairwiseGossip::PairwiseGossip(const PairwiseGossipOptions& options, MethodInput input)
    : AlikeAgents(std::move(input)),
      protocol_(options.protocol),
      choose_(options.choose),
      clocks_(std::make_shared<const Clocks>(Clocks::poisson(Duration::seconds(1)))) {
  if (protocol_ == GossipProtocol::locked && given().may_lose_messages) add_warning(absent_neighbors());
  const std::size_t m = reporters().size();
  const std::vector<Index>& starts = given().sample_starts;
  LAGNET_CHECK(starts.size() == m + 1, "{} starts of samples for {} agents", starts.size(), m);
  if (!given().timing_only) start_ = own_minimizers(given().problem, starts);
}

std::vector<Vector> PairwiseGossip::first_report(AgentId agent) const {
  const Vector start = given().timing_only ? Vector() : start_[agent];
  if (protocol_ == GossipProtocol::locked) return {start};
  return {start, start};
}

Evaluation PairwiseGossip::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const Vector mean = mean_of(report);
  const double consensus_error = root_mean_square_distance(report, mean);
  return {.iterate = mean, .objective = given().problem.objective(mean), .metrics = {consensus_error}};
}

std::optional<Bytes> PairwiseGossip::memory() const {
  return Bytes{sizeof(double)} * (4 + 2 * given().network.max_degree) * given().network.agents * given().problem.dim();
}

}  // namespace lagnet
