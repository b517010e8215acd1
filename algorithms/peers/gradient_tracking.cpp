#include "algorithms/peers/gradient_tracking.hpp"

#include <utility>

namespace lagnet {

Task<> GradientTracking::run(Agent& me) const {
  const AgentId i = me.id();
  const double alpha = alpha_;
  const bool combine_first = form_ == TrackingForm::diging;
  Vector x = zero();       // the iterate                              (d)
  Vector g = zero();       // the last gradient of f_i                 (d)
  Vector y = zero();       // tracks the mean of all agents' gradients (d)
  Vector change = zero();  // of the gradient                          (d)

  auto start = [&] { y = g = gradient(i, x); };
  auto descend = [&] { x -= alpha * y; };
  auto evaluate = [&] {
    const Vector h = gradient(i, x);
    change = h - g;
    g = h;
  };
  auto track = [&] { y += change; };

  me.report(0, x);
  co_await me.compute(gradient_work(i), start);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    if (combine_first) {
      co_await mixing_.mix(me, x);
      co_await me.compute(vector_work(2, 3), descend);
    } else {
      co_await me.compute(vector_work(2, 3), descend);
      co_await mixing_.mix(me, x);
    }
    co_await me.compute(gradient_work(i) + vector_work(1, 3), evaluate);
    if (combine_first) {
      co_await mixing_.mix(me, y);
      co_await me.compute(vector_work(1, 3), track);
    } else {
      co_await me.compute(vector_work(1, 3), track);
      co_await mixing_.mix(me, y);
    }
    me.report(t, x);
  }
}

std::vector<PeerStep> GradientTracking::start_steps(AgentId i) const { return {PeerStep::compute(gradient_work(i))}; }

std::vector<PeerStep> GradientTracking::round_steps(AgentId i) const {
  const PeerStep descend = PeerStep::compute(vector_work(2, 3)), track = PeerStep::compute(vector_work(1, 3));
  const PeerStep evaluate = PeerStep::compute(gradient_work(i) + vector_work(1, 3)), mix = PeerStep::mix();
  if (form_ == TrackingForm::diging) return {mix, descend, evaluate, mix, track};
  return {descend, mix, evaluate, track, mix};
}

GradientTracking::GradientTracking(const GradientTrackingOptions& options, MethodInput assignment)
    : PeerAlgorithm(std::move(assignment), GradientTrackingOptions::kind),
      mixing_(options.mixing, given().network),
      alpha_(positive("step", options.step)),
      form_(options.form) {
  need_smooth(GradientTrackingOptions::kind);
}

std::vector<std::pair<std::string, double>> GradientTracking::constants() const {
  return {{"step", alpha_}, {"K", static_cast<double>(mixing_.rounds())}, {"rho_K", mixing_.rho()}};
}

}  // namespace lagnet
