#include "algorithms/federated/consensus_admm.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/central/spectral_norm.hpp"
#include "algorithms/interface/curvature.hpp"

namespace lagnet {

Task<> ConsensusAdmm::serve(Agent& me) const {
  StateVector z = clients().start(me);                             // the iterate                         (d)
  std::vector<Vector> newest(static_cast<std::size_t>(agents()));  // x_k + u_k, by agent; empty: none yet  (d)
  StateVector sum = me.vector(d());                                // of them                             (d)
  StateVector mean = sum;                                          // of them                             (d)
  double N = 0;                                                    // how many there are
  std::vector<Message> answers;                                    // x_k + u_k                           (d each)

  auto agree = [&] {
    for (const Message& answer : answers) {
      Vector& of_client = newest[answer.from];
      if (of_client.size() == 0)
        ++N;
      else
        sum -= of_client;
      of_client = answer.body.view();
      sum += of_client;
    }
    mean = sum / N;
    z = P_(mean, 1 / (N * rho_));
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
  const AgentId k = me.id();
  const RowBlock& samples = clients().samples(k);
  const double n_rho = static_cast<double>(problem().samples) * rho_;
  const Cost relaxing = alpha_ == 1 ? Cost() : vector_work(3 * d(), 3);
  std::optional<RidgeSystem> system;  // A_k'A_k + n rho I, of exact steps
  Vector A_y;                         // A_k'y_k                                       (d)
  StateVector x;                      // own iterate, over-relaxed after a round       (d)
  StateVector u = me.vector(d());     // multiplier of x_k = z, over rho               (d)
  StateVector v = u;                  // z - u, where the local loss is minimized      (d)
  StateVector sent = u;               // x + u                                         (d)
  Message request;                    // z, the server's iterate                       (d)
  Cost more;                          // of an inexact step: its gradients

  auto factor = [&] {
    system->factor();
    A_y = blocks_[k].transpose_times(problem().y.segment(given().sample_starts[k], samples.rows()));
  };
  auto local_step = [&] {
    const VectorView z = request.body.view();
    if (x.size() > 0) u += x - z;
    v = z - u;
    if (system) {
      x = A_y + n_rho * v;
      x = system->solve(x);
    } else {
      if (x.size() == 0) x = z;
      const Index gradients = minimizers_[k - 1].solve(samples, v, x);
      more = times(gradients, minimizers_[k - 1].work_of_gradient(samples));
    }
    if (alpha_ != 1) x = alpha_ * x + (1 - alpha_) * z;
    sent = x + u;
  };

  if (is_exact()) {
    const DataMatrix& A_k = blocks_[k];
    system.emplace(A_k, n_rho);
    co_await me.compute(RidgeSystem::factor_work(A_k) + Cost(2 * A_k.nonzeros(), A_k.bytes()), factor);
  }
  const Cost step =
      is_exact() ? vector_work(6 * d(), 9) + RidgeSystem::solve_work(blocks_[k]) : vector_work(4 * d(), 7);
  for (;;) {
    request = co_await next_request(me);
    co_await me.compute(step + relaxing, local_step);
    if (!system) co_await me.compute(more);
    me.answer(request, sent);
  }
}

ConsensusAdmm::ConsensusAdmm(const ConsensusAdmmOptions& options, MethodInput assignment)
    : FederatedMethod(ConsensusAdmmOptions::kind, {.keeps_constraint = true}, std::move(assignment)),
      P_(problem(), ConsensusAdmmOptions::kind),
      alpha_(options.relaxation) {
  const bool has_exact_steps = options.local_minimizer == LocalMinimizer::exact;
  if (has_exact_steps && !loss().is_squared())
    throw OptionError("local_minimizer", "gradient, since only least squares have exact minimizers", "exact");
  need_gradient(ConsensusAdmmOptions::kind);
  if (options.penalty)
    rho_ = positive("penalty", *options.penalty);
  else if (has_numbers())
    rho_ = largest_curvature({}, given()) / static_cast<double>(clients().agents().size());
  if (rho_ > 0) add_constant("penalty", rho_);
  add_constant("relaxation", alpha_);
  const std::vector<Index>& starts = given().sample_starts;
  if (has_exact_steps) {
    for (std::size_t k = 0; k + 1 < starts.size(); ++k)
      blocks_.push_back(problem().X->row_range(starts[k], starts[k + 1] - starts[k]));
    return;
  }
  const double accuracy = options.accuracy.value_or(1e-8), n = static_cast<double>(problem().samples);
  add_constant("accuracy", accuracy);
  for (const AgentId k : clients().agents()) {
    const double norm = spectral_norm(problem().X->row_range(starts[k], starts[k + 1] - starts[k]));
    minimizers_.emplace_back(loss(), clients().pi(k), loss().smoothness().value() * norm * norm / n, rho_, accuracy);
  }
}

std::optional<Bytes> ConsensusAdmm::memory() const {
  const Bytes numbers = (agents() + 4) * d();  // the server's newest answers, and the multipliers
  Bytes exact = 0;
  for (const DataMatrix& A : blocks_) exact += A.bytes() + RidgeSystem::memory(A) + Bytes{sizeof(double)} * 2 * d();
  return *FederatedMethod::memory() + exact + Bytes{sizeof(double)} * numbers;
}

}  // namespace lagnet
