#include "algorithms/peers/directed/push_diging.hpp"

#include <utility>

#include "algorithms/interface/curvature.hpp"

namespace lagnet {

Task<> PushDiging::run(Agent& me) const {
  const double alpha = step_;
  double share = 1;
  const Cost gradient_cost = gradient_work(me.id());
  const Cost push_cost = vector_work(4, 5) + Cost(1);
  const Cost take_cost = gradient_cost + vector_work(3, 7);
  StateVector u = me.vector(d());               // x_i times its weight                             (d)
  StateVector v = me.vector(1);                 // own weight                                       (1)
  StateVector x = u;                            // the iterate                                      (d)
  StateVector g = u, h = u;                     // the last gradient of f_i, and the new one        (d)
  StateVector y = u;                            // tracks the sum of all agents' gradients          (d)
  StateVector u_out = u, y_out = u, v_out = v;  // what is sent, and kept, of u - alpha y, y, v     (d), (d), (1)
  StateVector came;                             // what others sent, added up                       (2 d + 1)
  Vector surplus;                               // y - g, for the record                            (d)

  auto start = [&] { y = g = gradient(me.id(), x); };
  auto push = [&] {
    u_out = (u - alpha * y) / share;
    y_out = y / share;
    v_out = v / share;
  };
  auto take = [&] {
    u = u_out + came.head(d());  // (1)
    v = v_out + came.tail(1);
    x = u / v[0];
    h = gradient(me.id(), x);
    y = y_out + came.segment(d(), d()) + h - g;  // (2)
    g = h;
    surplus = y - g;
  };

  if (!me.timing_only()) {
    surplus = u;
    v.setOnes();
  }
  me.report(0, x, surplus, v);
  co_await me.compute(gradient_cost, start);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    share = push_divisor(me);
    co_await me.compute(push_cost, push);
    came = co_await me.neighbor_sum(Payload::joined(u_out, y_out, v_out));
    co_await me.compute(take_cost + gathering_work(me, 2 * d() + 1), take);
    me.report(t, x, surplus, v);
  }
}

PushDiging::PushDiging(const PushDigingOptions& options, MethodInput input)
    : PeerAlgorithm(std::move(input), PushDigingOptions::kind, PushDigingOptions::traits),
      step_(positive("step", options.step)) {
  add_constants(constants_of(options));
}

std::vector<Vector> PushDiging::first_report(AgentId agent) const {
  std::vector<Vector> parts = PeerAlgorithm::first_report(agent);
  parts.push_back(parts[0]);
  parts.emplace_back(Vector::Ones(given().timing_only ? 0 : 1));
  return parts;
}

}  // namespace lagnet
