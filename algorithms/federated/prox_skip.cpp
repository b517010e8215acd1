#include "algorithms/federated/prox_skip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace lagnet {

Task<> ProxSkip::serve(Agent& me) const {
  StateVector w = clients().start(me);  // the model                   (d)
  StateVector mean = me.vector(d());    // sum_k pi_k z_k              (d)
  std::vector<Message> ends;            // z_k                         (d each)

  auto combine = [&] {
    mean.setZero();
    clients().add_mean(ends, 1, mean);
    w = prox(mean, s_ / p_);  // (3)
  };

  me.report(0, w);
  for (Round t = 1; t <= rounds(); ++t) {
    ends = co_await ask(me, t, w);
    co_await me.compute(mean_work(ends.size(), prox_flops(), 3), combine);
    me.report(t, w);
  }
}

Task<> ProxSkip::train(Agent& me) const {
  const SmoothPart f_k = part_of_client(me.id());
  StateVector x = me.vector(d());  // own model                        (d)
  StateVector h = x;               // own shift                        (d)
  StateVector z = x;               // what the server averages         (d)
  Message request;                 // w                                (d)
  for (;;) {
    request = co_await next_request(me);
    const Index T = local_steps(me, request.round);
    const bool has_shift_to_learn = request.round > 1;
    auto round = [&] {
      const VectorView w = request.body.view();
      if (has_shift_to_learn) h += p_ / s_ * (w - x);                 // (4)
      x = w;                                                          // (4)
      for (Index j = 0; j < T; ++j) x -= s_ * (f_k.gradient(x) - h);  // (1)
      z = x - s_ / p_ * h;                                            // (2)
    };
    const Cost steps = times(T, f_k.gradient_work() + vector_work(3 * d(), 4));
    const Cost shift = has_shift_to_learn ? vector_work(3 * d(), 4) : Cost();
    co_await me.compute(shift + steps + vector_work(2 * d(), 5), round);
    me.answer(request, z);
  }
}

Index ProxSkip::local_steps(const Agent& me, Round round) const {
  Draws coin(me.seed(), Purpose{"proxskip"}, server_agent, round);
  Index T = 1;
  while (coin.uniform() >= p_) ++T;
  return T;
}

ProxSkip::ProxSkip(const ProxSkipOptions& options, MethodInput given)
    : CompositeMethod(ProxSkipOptions::kind, options.traits(), std::move(given), 3) {
  std::optional<double> L = options.L;
  if (has_numbers() && (!options.step || !options.p)) {
    L = largest_curvature_of_parts(options.L);
    add_constant("L", *L);
  }
  if (options.step || L) s_ = options.step ? *options.step : 1 / *L;
  if (options.p) {
    p_ = *options.p;
  } else {
    if (!has_numbers() && !(options.mu && options.L))
      throw Diagnosed("p", "a number above 0 and at most 1, or mu and L, since a run without numbers finds neither",
                      "null");
    const double mu = strong_convexity_of_parts(options.mu, *L);
    add_constant("mu", mu);
    p_ = std::min(1.0, std::sqrt(mu / *L));
    if (p_ < ProxSkipOptions::least_p)
      throw Diagnosed("p", fmt::format("a number, since 1/sqrt(kappa) = {:.3g} is below 1e-6", p_), "null");
  }
  if (s_ > 0) add_constant("step", s_);
  add_constant("p", p_);
}

}  // namespace lagnet
