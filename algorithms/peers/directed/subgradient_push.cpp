#include "algorithms/peers/directed/subgradient_push.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"

namespace lagnet {

Task<> SubgradientPush::run(Agent& me) const {
  double share = 1;
  const Cost of_r = r_ ? Cost(r_->subgradient_flops(d())) : Cost();
  const Cost push_cost = vector_work(1, 2) + Cost(1);
  const Cost step_cost = gradient_work(me.id()) + vector_work(3, 6) + of_r;
  double alpha = step_;
  StateVector x = me.vector(d());    // what is pushed                             (d)
  StateVector y = me.vector(1);      // own weight                                 (1)
  StateVector z = x;                 // the iterate                                (d)
  StateVector s = x;                 // own part of C X                            (d)
  StateVector g = x;                 // gradient of f_i at z, with that of r       (d)
  StateVector x_out = x, y_out = y;  // what is sent, and kept, of x and y         (d), (1)
  StateVector came;                  // what others sent, added up                 (d + 1)

  auto begin = [&] { y.setOnes(); };
  auto push = [&] {
    x_out = x / share;
    y_out = y / share;
  };
  auto descend = [&] {
    s = x_out + came.head(d());  // (1)
    y = y_out + came.tail(1);
    z = s / y[0];
    g = gradient(me.id(), z);
    if (r_) g += *r_->subgradient(z);
    x = s - alpha * g;  // (2)
  };

  if (!me.timing_only()) begin();
  me.report(0, z, y);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    alpha = step_ / std::pow(static_cast<double>(t), decay_);
    share = push_divisor(me);
    co_await me.compute(push_cost, push);
    came = co_await me.neighbor_sum(Payload::joined(x_out, y_out));
    co_await me.compute(step_cost + gathering_work(me, d() + 1), descend);
    me.report(t, z, y);
  }
}

SubgradientPush::SubgradientPush(const SubgradientPushOptions& options, MethodInput input)
    : PeerAlgorithm(std::move(input), SubgradientPushOptions::kind, SubgradientPushOptions::traits),
      step_(positive("step", options.step)),
      decay_(options.decay) {
  add_constants(constants_of(options));
  const auto& r = given().problem.regularizer;
  if (is_zero(*r)) return;
  if (!r->l1_weight())
    throw Diagnosed("kind",
                    "an algorithm with a prox for the regularizer, or a problem with l1, l2, elastic_net or none",
                    std::string(SubgradientPushOptions::kind));
  r_ = r;
}

std::vector<Vector> SubgradientPush::first_report(AgentId agent) const {
  std::vector<Vector> parts = PeerAlgorithm::first_report(agent);
  parts.emplace_back(Vector::Ones(given().timing_only ? 0 : 1));
  return parts;
}

}  // namespace lagnet
