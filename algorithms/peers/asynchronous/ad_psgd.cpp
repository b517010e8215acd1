#include "algorithms/peers/asynchronous/ad_psgd.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/peers/asynchronous/asynchronous_peers.hpp"

namespace lagnet {

Task<> AdPsgd::active(Agent& me) const {
  const AgentId i = me.id();
  StateVector x = start(me);  // the iterate                             (d)
  StateVector y = x;          // the neighbor's, as it answered          (d)
  StateVector g = x;          // the gradient of f_i                     (d)
  const Cost work = gradient_work(i) + Cost(regularizer_flops_) + vector_work(2, 3);
  Ticker ticker(me, nullptr);

  auto compute = [&] { g = subgradient(i, x); };
  me.report(0, x);
  for (Round n = 0;; ++n) {
    if (const Time tick = ticker.next(me); tick > me.now()) co_await me.sleep(tick - me.now());
    ticker.take(me);
    const Time began = me.now();
    const AgentId j = me.neighbors()[chosen_neighbor(choose_, me, n)];
    if (overlap_) me.send(j, n, x, request_tag);
    co_await me.update(n, work, compute);
    if (!overlap_) me.send(j, n, x, request_tag);
    const Message answer = co_await me.receive();
    me.at_once(2 * d(), [&] { x = (x + answer.body.view()) / 2 - eta_ * g; });  // (1)
    me.used(i, 0);
    me.report(n + 1, x);
    check_time_passes(me, began);
  }
}

Task<> AdPsgd::passive(Agent& me) const {
  const AgentId j = me.id();
  StateVector x = start(me);  // the iterate                             (d)
  StateVector begun = x;      // as it was when the computation began    (d)
  StateVector g = x;          // the gradient of f_j there               (d)
  const Cost work = gradient_work(j) + Cost(regularizer_flops_) + vector_work(2, 3);
  Ticker ticker(me, nullptr);
  Round n = 0;                // gradients applied
  std::int64_t averages = 0;  // since the computation began
  bool is_computing = false;
  Time began;

  auto compute = [&] { g = subgradient(j, begun); };
  const auto start = [&] {
    ticker.take(me);
    began = me.now();
    begun = x;
    averages = 0;
    is_computing = true;
    me.start(n, work, compute);
  };
  me.report(0, x);
  for (;;) {
    if (!is_computing && ticker.next(me) == me.now()) start();
    const Time until = is_computing ? Time::never() : ticker.next(me);
    const AgentEvent event = co_await me.next_event(until);
    if (event.kind == AgentEvent::Kind::message) {
      const Message& m = event.message;
      me.send(m.from, n, x, reply_tag);
      me.at_once(2 * d(), [&] { x = (x + m.body.view()) / 2; });  // (2)
      ++averages;
      me.report(n, x);
    } else if (event.kind == AgentEvent::Kind::finished) {
      me.at_once(0, [&] { x -= eta_ * g; });
      me.used(j, averages);
      is_computing = false;
      me.report(++n, x);
      check_time_passes(me, began);
    }
  }
}

Vector AdPsgd::subgradient(AgentId i, VectorRef x) const {
  Vector g = gradient(i, x);
  if (regularizer_flops_ > 0) g += *given().problem.regularizer->subgradient(x);
  return g;
}

AdPsgd::AdPsgd(const AdPsgdOptions& options, MethodInput input)
    : AsynchronousPeers(std::move(input), AdPsgdOptions::kind, AdPsgdOptions::traits),
      eta_(positive("step", options.step)),
      overlap_(options.overlap),
      choose_(options.choose) {
  const Problem& problem = given().problem;
  if (!is_zero(*problem.regularizer) && !problem.regularizer->subgradient(Vector::Zero(d())))
    throw Diagnosed("kind", "an algorithm that needs no subgradient, which this regularizer does not offer",
                    std::string(AdPsgdOptions::kind));
  if (!is_zero(*problem.regularizer)) regularizer_flops_ = problem.regularizer->subgradient_flops(d());
  const NetworkFacts& network = given().network;
  if (network.agents < 2)
    throw Diagnosed("kind", "an algorithm for one agent, or a topology with 2 agents or more",
                    std::string(AdPsgdOptions::kind));
  if (!network.odd_cycle.empty())
    throw Diagnosed("kind", "a bipartite topology for ad_psgd",
                    fmt::format("a cycle of odd length through agents {}", fmt::join(network.odd_cycle, ", ")));
  if (given().may_lose_messages) add_warning(absent_neighbors());
  is_active_ = network.first_side;
  if (options.active.empty()) return;
  std::vector<bool> asked(is_active_.size());
  for (const std::int64_t id : options.active) {
    if (id < 0 || id >= std::ssize(asked))
      throw Diagnosed("active", fmt::format("agents from 0 to {}", asked.size() - 1), fmt::format("{}", id));
    asked[static_cast<std::size_t>(id)] = true;
  }
  std::vector<bool> other = is_active_;
  other.flip();
  if (asked != is_active_ && asked != other)
    throw Diagnosed("active", "one side of the bipartite topology: all agents whose neighbors are on the other one",
                    fmt::format("{}", fmt::join(options.active, ", ")));
  is_active_ = std::move(asked);
}

}  // namespace lagnet
