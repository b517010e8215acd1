#include "algorithms/asynchronous/fed_compass.hpp"

#include <algorithm>
#include <utility>

namespace lagnet {

namespace {

/// The header of a request: the steps q, and which job of its client it is, so that no answer is taken twice.
constexpr MessageTag jobs_told_apart = 16;
MessageTag tag_of(std::int64_t steps, std::int64_t job) {
  return static_cast<MessageTag>(steps) * jobs_told_apart + static_cast<MessageTag>(job) % jobs_told_apart;
}
Index steps_of(const Message& request) { return request.tag / jobs_told_apart; }

/// What the server has given a client.
struct Handed {
  std::int64_t number = 0;
  MessageTag tag = 0;
  Round version = 0;  // of x that it got
  bool is_open = false;
};

}  // namespace

Task<> FedCompass::serve(Agent& me) const {
  using Next = CompassSchedule::Next;
  StateVector x = clients().start(me);  // the model                                                  (d)
  std::vector<Message> used;            // x_k of an aggregation                                      (d each)
  std::vector<Message> late;            // those that came too late for their group                   (d each)
  std::vector<Message> waiting(static_cast<std::size_t>(agents()));  // by agent, for their group     (d each)
  std::vector<Handed> jobs(waiting.size());
  std::vector<AgentId> next;  // clients that get a job
  std::optional<Message> came;
  Round v = 0;
  CompassSchedule schedule({.Q1 = options_.min_local_steps,
                            .Q2 = options_.max_local_steps,
                            .latest_factor = options_.latest_time_factor,
                            .momentum = options_.speed_momentum},
                           static_cast<AgentId>(agents()));

  auto take_in = [&] { mix(x, used, v); };
  auto hand = [&](AgentId k, std::int64_t steps) {
    Handed& job = jobs[k];
    ++job.number;
    job = {job.number, tag_of(steps, job.number), v, true};
    me.send(k, v, x, job.tag);
  };

  me.report(0, x);
  for (const AgentId k : clients().agents()) {
    schedule.start(k, me.now().in_seconds());
    hand(k, options_.max_local_steps);
  }
  while (v < rounds()) {
    const auto expiry = schedule.next_expiry();
    Time until = Time::never();
    if (expiry) until = saturated(Time(), Duration::seconds(expiry->at));
    came = co_await me.receive_until(until);
    CompassSchedule::Group group = expiry ? expiry->group : -1;
    Next what = Next::close;
    if (came) {
      Handed& job = jobs[came->from];
      if (!job.is_open || came->tag != job.tag) continue;
      job.is_open = false;
      what = schedule.arrived(came->from, me.now().in_seconds(), group);
    }
    next.clear();
    if (what == Next::alone || what == Next::buffer) next.push_back(came->from);
    if (what == Next::alone)
      used.assign(1, std::move(*came));
    else if (what == Next::buffer)
      late.push_back(std::move(*came));
    else if (came)
      waiting[came->from] = std::move(*came);
    if (what == Next::close) {
      next = schedule.close(group);
      used = std::exchange(late, {});
      for (const AgentId k : next) used.push_back(std::move(waiting[k]));
    }
    if (what == Next::close && used.empty()) continue;
    if (what == Next::alone || what == Next::close) {
      for (const Message& m : used) me.used(m.from, v - m.round);
      const auto n = static_cast<Index>(used.size());
      co_await me.compute(vector_work((2 * n + 1) * d(), n + 2), take_in);
      used.clear();
      me.report(++v, x);
    }
    for (const AgentId k : next) hand(k, schedule.assign(k, me.now().in_seconds()));
  }
}

void FedCompass::mix(StateVector& x, std::span<const Message> used, Round v) const {
  const auto alpha = [&](const Message& m) {
    return options_.mixing * options_.staleness.of(v - m.round) * clients().pi(m.from);
  };
  double all = 0;
  for (const Message& m : used) all += alpha(m);
  x = (1 - all) * x;
  for (const Message& m : used) x += alpha(m) * m.body.view();  // (8.2)
}

Task<> FedCompass::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  StateVector x = me.vector(d());  // own model        (d)
  Message request;                 // the server's x   (d)
  for (std::int64_t n = 0;; ++n) {
    request = co_await me.receive();
    const Index q = steps_of(request);
    const Minibatches batches = minibatches(me, n, q);
    auto local_steps = [&] {
      x = request.body.view();
      for (Index j = 0; j < q; ++j)
        x -= options_.client_step * (samples.gradient(loss(), x, batches.of_step(j)) + *regularizer().subgradient(x));
    };
    co_await me.update(n, gradients_work(me.id(), batches) + times(q, step_work()), local_steps);
    me.answer(request, x, request.tag);
  }
}

Cost FedCompass::step_work() const { return vector_work(2 * d() + regularizer().subgradient_flops(d()), 3); }

Remarks FedCompass::warnings() const {
  Remarks all = FederatedMethod::warnings();
  if (given().may_lose_messages)
    all.push_back({"lost_messages_silence_clients",
                   {},
                   "messages can be lost for good, and a lost one takes its client out: network.retransmit sends "
                   "messages again"});
  return all;
}

FedCompass::FedCompass(const FedCompassOptions& options, MethodInput given)
    : FederatedMethod(FedCompassOptions::kind, {.batch = options.batch}, std::move(given)), options_(options) {
  need_subgradient(FedCompassOptions::kind);
  add_constants(constants_of(options));
}

}  // namespace lagnet
