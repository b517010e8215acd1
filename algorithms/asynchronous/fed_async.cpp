#include "algorithms/asynchronous/fed_async.hpp"

#include <cmath>
#include <utility>

namespace lagnet {

Task<> FedAsync::serve(Agent& me) const {
  StateVector x = clients().start(me);  // the model              (d)
  Message m;                            // x_k, a client's model  (d)
  double alpha_t = 0;
  ServerJobs jobs(me, options_.assignment);

  auto mix = [&] { x = (1 - alpha_t) * x + alpha_t * m.body.view(); };  // (3.2)

  me.report(0, x);
  jobs.hand_to_all(0, x);
  for (Round v = 0; v < rounds();) {
    m = co_await me.receive_drawn();
    if (!jobs.takes(m, v, x)) continue;
    const Round tau = jobs.used(m, v);
    alpha_t = options_.mixing * options_.staleness.of(tau);
    co_await me.compute(vector_work(3 * d(), 3), mix);
    me.report(++v, x);
    jobs.hand_on(m.from, v, x);
  }
}

Task<> FedAsync::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  const double eta = options_.client_step, rho = options_.proximal;
  StateVector x = me.vector(d());  // own model                     (d)
  StateVector direction = x;       // what a local step goes along  (d)
  auto local_steps = [&](const VectorView& w, const Minibatches& batches) {
    x = w;
    for (Index j = 0; j < E(); ++j) {
      direction = samples.gradient(loss(), x, batches.of_step(j)) + *regularizer().subgradient(x);
      if (rho > 0) direction += rho * (x - w);
      x -= eta * direction;  // (3.1)
    }
  };
  co_await do_jobs(me, E(), times(E(), step_work()), x, local_steps);
}

double DiscountOptions::of(Round tau) const {
  const auto age = static_cast<double>(tau);
  switch (kind) {
    case Discount::constant:
      return 1;
    case Discount::polynomial:
      return std::pow(age + 1, -a.value_or(0.5));
    case Discount::hinge:
      break;
  }
  const double late = age - b.value_or(4);
  return late <= 0 ? 1 : 1 / (a.value_or(10) * late + 1);
}

Cost FedAsync::step_work() const {
  const Cost step = vector_work(2 * d() + regularizer().subgradient_flops(d()), 3);
  return options_.proximal > 0 ? step + vector_work(3 * d(), 3) : step;
}

FedAsync::FedAsync(const FedAsyncOptions& options, MethodInput given)
    : AsynchronousMethod(options.resend_ms, FedAsyncOptions::kind,
                         Basics{.E = options.local_steps, .batch = options.batch}, std::move(given)),
      options_(options) {
  need_subgradient(FedAsyncOptions::kind);
  add_constant("E", static_cast<double>(E()));
  add_constants(constants_of(options));
}

}  // namespace lagnet
