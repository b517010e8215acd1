#include "algorithms/asynchronous/piag.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "algorithms/interface/curvature.hpp"

namespace lagnet {

Task<> Piag::serve(Agent& me) const {
  const std::size_t K = clients().agents().size();
  StateVector x = clients().start(me);                        // the model                          (d)
  StateVector next = x;                                       // what the prox is taken of          (d)
  StateVector G = me.vector(d());                             // sum_k pi_k g_k                     (d)
  std::vector<Vector> g(static_cast<std::size_t>(agents()));  // newest gradients, by agent         (d each)
  std::vector<Round> version(g.size(), -1);                   // that they were computed at; -1: none yet
  std::multiset<Round> versions;                              // the same, ascending
  Message m;                                                  // g, a client's gradient             (d)
  double gamma = 0;
  DelayedSteps steps(rule_, gamma_);
  ServerJobs jobs(me);

  auto absorb = [&] {
    Vector& g_k = g[m.from];
    if (g_k.size() == 0)
      G += clients().pi(m.from) * m.body.view();
    else
      G += clients().pi(m.from) * (m.body.view() - g_k);
    g_k = m.body.view();
  };
  auto step = [&] {
    next = x - gamma * G;
    if (gamma > 0) x = P_(next, gamma);  // (3.7)
  };

  me.report(0, x);
  jobs.hand_to_all(0, x);
  for (Round v = 0; v < rounds();) {
    m = co_await me.receive_drawn();
    if (!jobs.takes(m, v, x)) continue;
    Round& of_client = version[m.from];
    const bool is_first = of_client < 0;
    if (!is_first) versions.erase(versions.find(of_client));
    versions.insert(of_client = m.round);
    co_await me.compute(vector_work((is_first ? 2 : 3) * d(), 4), absorb);
    if (versions.size() < K) continue;  // which gets x with all others
    const Round tau = v - *versions.begin();
    me.used(m.from, tau);
    gamma = steps.next(tau);
    co_await me.compute(vector_work(2 * d() + P_.flops(d()), 5), step);
    me.report(++v, x);
    if (v == 1)
      jobs.hand_to_all(v, x);
    else
      jobs.hand(m.from, v, x);
  }
}

Task<> Piag::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  StateVector g = me.vector(d());  // grad L_k(w)              (d)
  auto evaluate = [&](const VectorView& w, const Minibatches& all) { g = samples.gradient(loss(), w, all.of_step(0)); };
  co_await do_jobs(me, 1, Cost(), g, evaluate);
}

double DelayedSteps::next(Round tau) {
  double step = gamma_;
  if (rule_ != DelayRule::fixed) {
    const double last = std::accumulate(taken_.end() - static_cast<std::ptrdiff_t>(tau), taken_.end(), 0.0);
    const double share = gamma_ / static_cast<double>(tau + 1);
    if (rule_ == DelayRule::adaptive1)
      step = 0.9 * std::max(gamma_ - last, 0.0);
    else
      step = last + share <= gamma_ ? share : 0;  // (3.8)
    taken_.push_back(step);
  }
  return step;
}

Piag::Piag(const PiagOptions& options, MethodInput given)
    : AsynchronousMethod(options.resend_ms, PiagOptions::kind, Basics{.keeps_constraint = true}, std::move(given)),
      P_(problem(), PiagOptions::kind),
      rule_(options.rule) {
  need_gradient(PiagOptions::kind);
  if (options.step)
    gamma_ = *options.step;
  else if (has_numbers())
    gamma_ = 0.99 / largest_curvature({}, this->given());
  if (gamma_ > 0) add_constant("step", gamma_);
}

std::optional<Bytes> Piag::memory() const {
  return *FederatedMethod::memory() + Bytes{sizeof(double)} * agents() * d();  // the gradients that the server keeps
}

}  // namespace lagnet
