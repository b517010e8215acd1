#include "algorithms/asynchronous/dave_pg.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "algorithms/interface/curvature.hpp"

namespace lagnet {

Task<> DavePg::serve(Agent& me) const {
  StateVector xbar = clients().start(me);  // sum_k pi_k x_k, as far as they came      (d)
  std::vector<Vector> last;                // x_k, by agent, where they come whole     (d each)
  Message m;                               // D, or x_k                                (d)
  if (sends_whole_) last.assign(static_cast<std::size_t>(agents()), xbar);
  ServerJobs jobs(me, assignment_);

  auto add = [&] {
    if (!sends_whole_) {
      xbar += m.body.view();  // (3.10)
      return;
    }
    Vector& of_client = last[m.from];
    xbar += clients().pi(m.from) * (m.body.view() - of_client);
    of_client = m.body.view();
  };

  me.report(0, xbar);
  jobs.hand_to_all(0, xbar);
  for (Round v = 0; v < rounds();) {
    m = co_await me.receive_drawn();
    if (!jobs.takes(m, v, xbar)) continue;
    jobs.used(m, v);
    const Cost adding = sends_whole_ ? vector_work(3 * d(), 5) : vector_work(d(), 3);
    co_await me.compute(adding, add);
    me.report(++v, xbar);
    jobs.hand_on(m.from, v, xbar);
  }
}

Task<> DavePg::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  const double pi = clients().pi(me.id());
  StateVector x = clients().start(me);  // x_k                                     (d)
  StateVector D = me.vector(d());       // change of pi_k x_k since xbar came      (d)
  StateVector u = D, z = D, y = D;      // what the prox is taken of; see (3.9)    (d)
  std::optional<Message> m;             // xbar                                    (d)
  ClientJobs jobs(me, resend());
  for (;;) {
    m = co_await me.receive_until(jobs.patience());
    if (!jobs.is_new(m)) continue;
    const Minibatches all = minibatches(me, jobs.n(), 1);
    auto repeat = [&] {
      const VectorView xbar = m->body.view();
      D.setZero();
      for (Index i = 0; i < p_; ++i) {
        u = xbar + D;
        z = P_(u, gamma_);
        y = z - gamma_ * samples.gradient(loss(), z, all.of_step(0));
        D += pi * (y - x);
        x = y;  // (3.9)
      }
    };
    const Cost repetition = gradients_work(me.id(), all) + vector_work(6 * d() + P_.flops(d()), 13);
    co_await me.update(jobs.n(), times(p_, repetition), repeat);
    jobs.answer(*m, sends_whole_ ? x : D);
  }
}

Evaluation DavePg::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const Vector& xbar = report[server_agent][0];
  Evaluation evaluation;
  evaluation.iterate = P_(xbar, gamma_);
  evaluation.objective = clients().objective(problem(), evaluation.iterate);
  return evaluation;
}

DavePg::DavePg(const DavePgOptions& options, MethodInput given)
    : AsynchronousMethod(options.resend_ms, DavePgOptions::kind, Basics{.keeps_constraint = true}, std::move(given)),
      P_(problem(), DavePgOptions::kind),
      p_(options.repetitions),
      sends_whole_(options.send ? *options.send == DaveMessages::whole : this->given().may_lack_answers),
      assignment_(options.assignment) {
  need_gradient(DavePgOptions::kind);
  if (options.step)
    gamma_ = *options.step;
  else if (has_numbers())
    gamma_ = 1 / largest_shard_curvature("step", this->given());
  if (gamma_ > 0) add_constant("step", gamma_);
  if (options.step && has_numbers()) warn_of_long_step();
  if (!sends_whole_ && this->given().may_lack_answers)
    add_warning(
        {"lost_differences_move_limit",
         {},
         "messages can be lost or agents are away: each difference that is lost moves the limit for good; whole "
         "messages are repairable"});
}

void DavePg::warn_of_long_step() {
  if (problem().X->is_zero()) return;   // F has no curvature that a step could be too long for
  constexpr Index most_features = 512;  // whose eigenvalues take no time beside a run
  const double L = largest_shard_curvature("step", given());
  const double mu = d() <= most_features ? least_shard_curvature(given()).value : 0;  // or a lower bound
  const double longest = 2 / (mu + L);
  constexpr double rounding = 1e-9;  // of a step that was computed elsewhere, and of eigenvalues
  if (gamma_ > longest * (1 + rounding))
    add_warning(
        {"step_too_long",
         {{"step", gamma_}, {"longest", longest}, {"mu", mu}, {"L", L}},
         fmt::format("algorithm.step is {:.4g}, above 2 / (mu + L) = {:.4g}, up to which DAve-PG is known to converge: "
                     "the curvature of the clients' losses is from mu = {:.4g} to L = {:.4g}",
                     gamma_, longest, mu, L)});
}

std::optional<Bytes> DavePg::memory() const {
  const Index server = sends_whole_ ? agents() : 0;
  return *FederatedMethod::memory() + Bytes{sizeof(double)} * (4 * agents() + server) * d();
}

}  // namespace lagnet
