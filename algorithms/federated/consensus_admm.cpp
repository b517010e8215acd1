#include "algorithms/federated/consensus_admm.hpp"

#include "algorithms/interface/curvature.hpp"

namespace lagnet {

Task<> ConsensusAdmm::serve(Agent& me) const {
  StateVector z = clients().start(me);      // the iterate   (d)
  NewestAnswers newest(me, agents(), d());  // x_k + u_k     (d each)
  std::vector<Message> answers;             // x_k + u_k     (d each)

  auto agree = [&] {
    const StateVector& mean = newest.mean_with(answers);
    z = P_(mean, 1 / (newest.N() * rho_));
  };

  me.report(0, z);
  for (Round t = 1; t <= rounds(); ++t) {
    answers = co_await ask(me, t, z);
    const Index m = std::ssize(answers);
    if (m > 0) co_await me.compute(vector_work(2 * m * d() + d() + P_.flops(d()), 3 * m + 3), agree);
    me.report(t, z);
  }
}

Task<> ConsensusAdmm::train(Agent& me) const {
  const Cost relaxing = alpha_ == 1 ? Cost() : vector_work(3 * d(), 3);
  ConsensusClient own(*minimizers_, me);  // x, over-relaxed after a round, and u   (d each)
  StateVector sent = me.vector(d());      // x + u                                  (d)
  Message request;                        // z, the server's iterate                (d)

  auto factor = [&] { own.factor(); };
  auto local_step = [&] {
    const VectorView z = request.body.view();
    own.step(z);
    if (alpha_ != 1) own.x = alpha_ * own.x + (1 - alpha_) * z;
    sent = own.x + own.u;
  };

  const bool is_exact = minimizers_->are_exact();
  if (is_exact) co_await me.compute(own.factor_work(), factor);
  for (;;) {
    request = co_await next_request(me);
    co_await me.compute(own.step_work() + relaxing, local_step);
    if (!is_exact) co_await me.compute(own.more());
    me.answer(request, sent);
  }
}

ConsensusAdmm::ConsensusAdmm(const ConsensusAdmmOptions& options, MethodInput assignment)
    : FederatedMethod(ConsensusAdmmOptions::kind, {.keeps_constraint = true}, std::move(assignment)),
      P_(problem(), ConsensusAdmmOptions::kind),
      alpha_(options.relaxation) {
  check_minimizer(options.local_minimizer, loss());
  need_gradient(ConsensusAdmmOptions::kind);
  if (options.penalty)
    rho_ = positive("penalty", *options.penalty);
  else if (has_numbers())
    rho_ = largest_curvature({}, given()) / static_cast<double>(clients().agents().size());
  if (rho_ > 0) add_constant("penalty", rho_);
  add_constant("relaxation", alpha_);
  const double accuracy = options.accuracy.value_or(default_accuracy);
  if (options.local_minimizer == LocalMinimizer::gradient) add_constant("accuracy", accuracy);
  minimizers_.emplace(options.local_minimizer, accuracy, given(), clients(), rho_);
}

std::optional<Bytes> ConsensusAdmm::memory() const {
  const Bytes numbers = (agents() + 4) * d();  // the server's newest answers, and the multipliers
  return *FederatedMethod::memory() + minimizers_->memory() + Bytes{sizeof(double)} * numbers;
}

}  // namespace lagnet
