#include "algorithms/federated/compressed/estimate_method.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace lagnet {

namespace {
/// Asks the cohort of the round, and in round 1 all clients, whose state begins with it.
auto ask_after_all(Agent& me, Round t, const Payload& body) {
  Cohort cohort = t > 1 ? me.cohort(t) : me.cohort_of({me.neighbors().begin(), me.neighbors().end()});
  send_to_all(me, cohort.members, t, body);
  return me.collect(t, std::move(cohort));
}
}  // namespace

Task<> EstimateMethod::serve(Agent& me) const {
  StateVector x = clients().start(me);  // the model                        (d)
  StateVector last = x;                 // that of the round before         (d)
  StateVector g = me.vector(d());       // estimates grad f                 (d)
  StateVector q = g;                    // sum_k pi_k q_k                   (d)
  StateVector ahead = g;                // what the prox is taken of        (d)
  std::vector<Message> answers;         // q_k, or grad f_k(x)              (d each)
  bool full = false;

  auto step = [&] {
    take_mean(answers, q);
    if (full)
      g = q;  // (2)
    else
      g += q;  // (1)
    if (sends_last_model()) last = x;
    ahead = x - s_ * g;
    x = prox(ahead, s_);  // (3)
  };

  me.report(0, x, g);
  for (Round t = 1; t <= rounds(); ++t) {
    full = is_full(me, t);
    const Payload request = sends_last_model() && t > 1 ? joined_payload(x, last) : Payload(x);
    answers = co_await ask_after_all(me, t, request);
    const std::size_t m = answers.size();
    const Cost work = full ? mean_work(m, 2 * d() + prox_flops(), 8) : mean_of_kept_work(m, 3 * d() + prox_flops(), 9);
    co_await me.compute(work, step);
    me.report(t, x, g);
  }
}

double EstimateMethod::curvature_of_mean(std::optional<double> L) const {
  return L ? *L : largest_curvature({}, given()) + b();
}

double EstimateMethod::mean_curvature(std::optional<double> L) const {
  if (L) return *L;
  const std::vector<double> of_clients = curvatures();
  double mean_square = 0;
  for (const AgentId k : clients().agents()) mean_square += clients().pi(k) * of_clients[k - 1] * of_clients[k - 1];
  return std::sqrt(mean_square);
}

}  // namespace lagnet
