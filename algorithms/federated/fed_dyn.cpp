#include "algorithms/federated/fed_dyn.hpp"

#include <fmt/format.h>

#include "algorithms/interface/curvature.hpp"

namespace lagnet {

Task<> FedDyn::serve(Agent& me) const {
  const double m = static_cast<double>(clients().agents().size());
  StateVector w = clients().start(me);  // the model                              (d)
  StateVector h = me.vector(d());       // sum_k pi_k s_k                         (d)
  StateVector sum = h;                  // of the changes                         (d)
  std::vector<Message> changes;         // Delta_k = x_k - w                      (d each)
  // By agent: the round in which its answer was used last.
  std::vector<MessageTag> used(static_cast<std::size_t>(agents()), 0);

  auto combine = [&] {
    sum.setZero();
    for (const Message& change : changes) sum += change.body.view();
    h -= alpha_ / m * sum;                                                // (5.3)
    w += 1 / static_cast<double>(changes.size()) * sum - 1 / alpha_ * h;  // (5.3)
  };

  me.report(0, w);
  for (Round t = 1; t <= rounds(); ++t) {
    Cohort cohort = me.cohort(t);
    const Payload body(w);
    for (const AgentId k : cohort.members) me.send(k, t, body, used[k]);
    changes = co_await me.collect(t, std::move(cohort));
    for (const Message& change : changes) used[change.from] = static_cast<MessageTag>(t);
    const Index answers = std::ssize(changes);
    if (answers > 0) co_await me.compute(vector_work((answers + 6) * d(), answers + 5), combine);
    me.report(t, w);
  }
}

Task<> FedDyn::train(Agent& me) const {
  const AgentId k = me.id();
  const RowBlock& samples = clients().samples(k);
  const double alpha_k = alpha_of(k), n_k = static_cast<double>(samples.rows());
  const double eta = eta_.empty() ? 0 : eta_[k];
  const bool steps = minimizer_ == DynMinimizer::steps, exact = minimizer_ == DynMinimizer::exact;
  StateVector x = me.vector(d());     // own model, and then its change                     (d)
  StateVector s_k = x;                // estimate of the gradient at the minimizer of F     (d)
  StateVector before = x;             // s_k before the last answer                         (d)
  Vector A_y;                         // A_k'y_k                                            (d)
  std::optional<RidgeSystem> system;  // A_k'A_k + n_k (l2 + alpha_k) I
  Message request;                    // w                                                  (d)
  Round answered = 0;                 // the round of the last answer
  std::optional<Minibatches> batches;
  Index gradients = 0;

  auto factor = [&] {
    system->factor();
    A_y = blocks_[k].transpose_times(samples.labels());
  };
  auto local_step = [&] {
    const VectorView w = request.body.view();
    if (request.tag == static_cast<MessageTag>(answered))
      before = s_k;
    else
      s_k = before;
    x = w;
    if (steps)
      for (Index j = 0; j < batches->steps(); ++j)
        x -= eta * (samples.gradient(loss(), x, batches->of_step(j)) + *regularizer().subgradient(x) - s_k +
                    alpha_k * (x - w));  // (5.1)
    else if (exact)
      x = system->solve(A_y + n_k * (alpha_k * w + s_k));  // (5.1)
    else
      gradients = minimizers_[k - 1].solve(samples, (alpha_k * w + s_k) / (alpha_k + l2()), x);  // (5.1)
    x -= w;
    s_k -= alpha_k * x;  // (5.2)
  };

  if (exact) {
    system.emplace(blocks_[k], n_k * (l2() + alpha_k));
    co_await me.compute(RidgeSystem::factor_work(blocks_[k]) + Cost(2 * blocks_[k].nonzeros(), blocks_[k].bytes()),
                        factor);
  }
  for (;;) {
    request = co_await next_request(me);
    Cost work = exact ? vector_work(8 * d(), 11) + RidgeSystem::solve_work(blocks_[k]) : vector_work(6 * d(), 9);
    if (steps) {
      batches.emplace(work_.minibatches(me, request.round));
      const Cost step = vector_work(6 * d() + regularizer().subgradient_flops(d()), 6);
      work = gradients_work(k, *batches) + times(batches->steps(), step) + vector_work(3 * d(), 6);
    }
    co_await me.compute(work, local_step);
    if (gradients > 0) co_await me.compute(times(gradients, minimizers_[k - 1].work_of_gradient(samples)));
    answered = request.round;
    me.answer(request, x);
  }
}

FedDyn::FedDyn(const FedDynOptions& options, MethodInput given)
    : FederatedMethod(FedDynOptions::kind, {.weights = options.weights}, std::move(given)),
      alpha_(options.alpha),
      minimizer_(options.local_minimizer),
      work_(options.work(), this->given(), clients()) {
  need_gradient(FedDynOptions::kind);
  for (const AgentId k : clients().agents())
    if (!(clients().pi(k) > 0)) throw Diagnosed("weights", "above 0 for fed_dyn", "0");
  add_constant("alpha", alpha_);
  if (minimizer_ == DynMinimizer::steps) {
    set_steps(options);
    return;
  }
  check_minimizer(minimizer_ == DynMinimizer::exact ? LocalMinimizer::exact : LocalMinimizer::gradient, loss());
  if (minimizer_ == DynMinimizer::exact) {
    for (AgentId k = 0; k < static_cast<AgentId>(agents()); ++k)
      blocks_.push_back(problem().X->row_range(clients().samples(k).first(), clients().samples(k).rows()));
    return;
  }
  const double accuracy = options.accuracy.value_or(default_accuracy);
  add_constant("accuracy", accuracy);
  const std::vector<double> L = shard_curvatures("local_minimizer", this->given());
  for (const AgentId k : clients().agents()) minimizers_.emplace_back(loss(), 1, L[k], l2() + alpha_of(k), accuracy);
}

double FedDyn::alpha_of(AgentId client) const {
  return alpha_ / (static_cast<double>(clients().agents().size()) * clients().pi(client));
}

double FedDyn::l2() const { return curvature_of(regularizer()); }

void FedDyn::set_steps(const FedDynOptions& options) {
  add_constant(work_.is_even() ? "E" : "E_max", static_cast<double>(work_.most_steps()));
  add_warnings(work_.warnings());
  if (options.client_step) add_constant("client_step", *options.client_step);
  if (!has_numbers()) return;
  eta_.resize(static_cast<std::size_t>(agents()));
  const std::vector<double> L = shard_curvatures("client_step", given());
  for (const AgentId k : clients().agents()) {
    const double curvature = L[k] + l2() + alpha_of(k);
    eta_[k] = options.client_step.value_or(1 / curvature);
    if (!(eta_[k] * curvature < 2))
      throw Diagnosed("client_step", fmt::format("below 2 / (L_k + alpha_k) = {:.6g} of client {}", 2 / curvature, k),
                      fmt::format("{}", eta_[k]));
  }
}

std::optional<Bytes> FedDyn::memory() const {
  Bytes all = *FederatedMethod::memory() + Bytes{sizeof(double)} * 2 * agents() * d();  // s_k, and that of before
  for (const DataMatrix& A : blocks_) all += A.bytes() + RidgeSystem::memory(A) + Bytes{sizeof(double)} * d();
  return all;
}

Remarks FedDyn::remarks(const RunCounts& counts) const {
  Remarks all = FederatedMethod::remarks(counts);
  if (counts.missing > 0 && given().may_miss_rounds)
    all.push_back({"dyn_gone_clients",
                   {},
                   "a client that is gone for good leaves its last s_k in h: then the limit is the minimizer of F with "
                   "<s_k, w> in place of that client's loss"});
  return all;
}

}  // namespace lagnet
