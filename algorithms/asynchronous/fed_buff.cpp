#include "algorithms/asynchronous/fed_buff.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lagnet {

Task<> FedBuff::serve(Agent& me) const {
  StateVector x = clients().start(me);  // the model                          (d)
  StateVector B = me.vector(d());       // sum of weighted changes            (d)
  Index count = 0;                      // of the changes in it
  Message m;                            // Delta = x_k - w, a client's change (d)
  double s = 1;
  ServerJobs jobs(me, assignment_);

  auto add = [&] { B += s * m.body.view(); };
  auto step = [&] {
    x += (eta_s() / static_cast<double>(K_buf_)) * B;  // (3.4)
    B.setZero();
  };

  me.report(0, x);
  jobs.hand_to_all(0, x);
  for (Round v = 0; v < rounds();) {
    m = co_await me.receive_drawn();
    if (!jobs.takes(m, v, x)) continue;
    const Round tau = jobs.used(m, v);
    if (scaling_ == BufferScaling::sqrt) s = 1 / std::sqrt(1 + static_cast<double>(tau));
    co_await me.compute(vector_work(2 * d(), 3), add);
    if (++count == K_buf_) {
      co_await me.compute(vector_work(2 * d(), 4), step);
      count = 0;
      me.report(++v, x);
    }
    jobs.hand_on(m.from, v, x);
  }
}

Task<> FedBuff::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  const Cost step = vector_work(2 * d() + regularizer().subgradient_flops(d()), 3);
  StateVector x = me.vector(d());  // own model, and then its change Delta  (d)
  auto local_steps = [&](const VectorView& w, const Minibatches& batches) {
    x = w;
    for (Index j = 0; j < E(); ++j)
      x -= eta_c() * (samples.gradient(loss(), x, batches.of_step(j)) + *regularizer().subgradient(x));
    x -= w;
  };
  co_await do_jobs(me, E(), times(E(), step) + vector_work(d(), 3), x, local_steps);
}

FedBuff::FedBuff(const FedBuffOptions& options, MethodInput given)
    : AsynchronousMethod(options.resend_ms, FedBuffOptions::kind, options, std::move(given)),
      K_buf_(options.buffer.value_or(std::max<Index>(1, std::ssize(clients().agents()) / 3))),
      scaling_(options.scaling),
      assignment_(options.assignment) {
  need_subgradient(FedBuffOptions::kind);
  add_constant("buffer", static_cast<double>(K_buf_));
}

}  // namespace lagnet
