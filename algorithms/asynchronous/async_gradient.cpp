#include "algorithms/asynchronous/async_gradient.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/interface/curvature.hpp"

namespace lagnet {

Task<> AsyncGradient::serve(Agent& me) const {
  StateVector x = clients().start(me);  // the model                      (d)
  StateVector next = x;                 // what the prox is taken of      (d)
  Message m;                            // g = K pi_k grad L_k(w)         (d)
  double gamma = 0;
  ServerJobs jobs(me, options_.assignment);

  auto step = [&] {
    next = x - gamma * m.body.view();
    x = P_(next, gamma);  // (3.6)
  };

  me.report(0, x);
  jobs.hand_to_all(0, x);
  for (Round v = 0; v < rounds();) {
    m = co_await me.receive_drawn();
    if (!jobs.takes(m, v, x)) continue;
    const Round tau = jobs.used(m, v);
    gamma = step_for(tau);
    if (gamma > 0) co_await me.compute(vector_work(2 * d() + P_.flops(d()), 5), step);
    me.report(++v, x);
    jobs.hand_on(m.from, v, x);
  }
}

Task<> AsyncGradient::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  const double weight = static_cast<double>(clients().agents().size()) * clients().pi(me.id());  // K pi_k
  StateVector g = me.vector(d());  // own part of the gradient    (d)
  auto evaluate = [&](const VectorView& w, const Minibatches& batches) {
    g = weight * samples.gradient(loss(), w, batches.of_step(0));
  };
  co_await do_jobs(me, 1, vector_work(d(), 2), g, evaluate);
}

double AsyncGradient::step_for(Round tau) const {
  if (options_.rule == StaleRule::constant || tau <= tau_C_) return options_.step;
  if (options_.rule == StaleRule::drop) return 0;
  return std::min(options_.step, 1 / (4 * L_ * static_cast<double>(tau)));  // (3.5)
}

AsyncGradient::AsyncGradient(const AsyncGradientOptions& options, MethodInput given)
    : AsynchronousMethod(options.resend_ms, AsyncGradientOptions::kind,
                         Basics{.batch = options.batch, .keeps_constraint = true}, std::move(given)),
      P_(problem(), AsyncGradientOptions::kind),
      options_(options),
      tau_C_(options.concurrency.value_or(std::ssize(clients().agents()))) {
  need_gradient(AsyncGradientOptions::kind);
  add_constant("step", options.step);
  if (options.rule != StaleRule::constant) add_constant("concurrency", static_cast<double>(tau_C_));
  if (options.rule == StaleRule::adaptive && (options.smoothness || has_numbers())) {
    std::vector<double> weights(static_cast<std::size_t>(agents()));  // K pi_k, by agent
    for (const AgentId k : clients().agents())
      weights[k] = static_cast<double>(clients().agents().size()) * clients().pi(k);
    L_ = options.smoothness
             ? *options.smoothness
             : largest_shard_curvature("smoothness", this->given(), weights) + curvature_of(regularizer());
    add_constant("smoothness", L_);
  }
}

}  // namespace lagnet
