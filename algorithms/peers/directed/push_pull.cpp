#include "algorithms/peers/directed/push_pull.hpp"

#include <utility>

#include "algorithms/interface/curvature.hpp"

namespace lagnet {

Task<> PushPull::run(Agent& me) const {
  const double alpha = step_;
  double push_share = 1, pull_share = 1;
  const Cost gradient_cost = gradient_work(me.id());
  const Cost push_cost = adapts_first_ ? vector_work(3, 5) : vector_work(1, 2);
  const Cost take_cost = gradient_cost + vector_work(adapts_first_ ? 3 : 5, 7);
  StateVector x = me.vector(d());    // the iterate                                           (d)
  StateVector g = x, h = x;          // the last gradient of f_i, and the new one             (d)
  StateVector y = x;                 // tracks the sum of all agents' gradients               (d)
  StateVector x_out = x, y_out = x;  // what is sent, and kept, of x and y                    (d)
  StateVector came;                  // what others sent, added up                            (2 d)
  Vector surplus;                    // y - g, for the record                                 (d)

  auto start = [&] { y = g = gradient(me.id(), x); };
  auto push = [&] {
    x_out = x;
    if (adapts_first_) x_out -= alpha * y;
    y_out = y / push_share;
  };
  auto take = [&] {
    x = (x_out + came.head(d())) / pull_share;  // (1)
    if (!adapts_first_) x -= alpha * y;         // (2)
    h = gradient(me.id(), x);
    y = y_out + came.tail(d()) + h - g;  // (3)
    g = h;
    surplus = y - g;
  };

  if (!me.timing_only()) surplus = x;
  me.report(0, x, surplus);
  co_await me.compute(gradient_cost, start);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    push_share = push_divisor(me);
    co_await me.compute(push_cost, push);
    came = co_await me.neighbor_sum(Payload::joined(x_out, y_out));
    pull_share = pull_divisor(me);
    co_await me.compute(take_cost + gathering_work(me, 2 * d()), take);
    me.report(t, x, surplus);
  }
}

PushPull::PushPull(const PushPullOptions& options, MethodInput input)
    : PeerAlgorithm(std::move(input), PushPullOptions::kind, PushPullOptions::traits),
      step_(positive("step", options.step)),
      adapts_first_(options.form == PushPullForm::adapt_then_combine) {
  add_constants(constants_of(options));
}

std::vector<Vector> PushPull::first_report(AgentId agent) const {
  std::vector<Vector> parts = PeerAlgorithm::first_report(agent);
  parts.push_back(parts[0]);
  return parts;
}

}  // namespace lagnet
