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
  double N = 0;                                                    // how many there are

  auto agree = [&](std::span<const Message> answers) {  // x_k + u_k  (d each)
    for (const Message& answer : answers) {
      Vector& of_client = newest[answer.from];
      if (of_client.size() == 0)
        ++N;
      else
        sum -= of_client;
      of_client = answer.body.view();
      sum += of_client;
    }
    const StateVector mean = sum / N;
    z = P_(mean, 1 / (N * rho_));
  };
  co_await serve_rounds(me, z, agree, z);
}

Task<> ConsensusAdmm::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  const double n_rho = static_cast<double>(problem().samples) * rho_;
  std::optional<RidgeSystem> system;  // A_k'A_k + n rho I, of exact steps
  Vector A_y;                         // A_k'y_k                                 (d)
  Message request;                    // z, the server's iterate                 (d)
  StateVector x;                      // own iterate, over-relaxed after a round (d)
  StateVector u = me.vector(d());     // multiplier of x_k = z, over rho         (d)
  StateVector sent = me.vector(d());  // x + u                                   (d)
  Index gradients = 0;                // that an inexact step took

  auto factor = [&] {
    system->factor();
    A_y = blocks_[me.id()].transpose_times(problem().y.segment(given().sample_starts[me.id()], samples.rows()));
  };
  auto local_step = [&] {
    const VectorView z = request.body.view();
    if (x.size() > 0) u += x - z;
    if (system) {
      x = A_y + n_rho * (z - u);
      x = system->solve(x);
    } else {
      if (x.size() == 0) x = z;
      gradients = minimizers_[me.id() - 1].solve(samples, z - u, x);
    }
    if (alpha_ != 1) x = alpha_ * x + (1 - alpha_) * z;
    sent = x + u;
  };
  if (is_exact()) {
    system.emplace(blocks_[me.id()], n_rho);
    co_await me.compute(factor_work(me.id()), factor);
  }
  for (;;) {
    request = co_await next_request(me);
    co_await me.compute(local_work(me.id()), local_step);
    if (!system) co_await me.compute(times(gradients, minimizers_[me.id() - 1].work_of_gradient(samples)));
    me.send(server_agent, request.round, sent);
  }
}

Cost ConsensusAdmm::factor_work(AgentId k) const {
  const DataMatrix& A = blocks_[k];
  return RidgeSystem::factor_work(A) + Cost(2 * A.nonzeros(), A.bytes());
}

Cost ConsensusAdmm::local_work(AgentId k) const {
  const Cost relaxing = alpha_ == 1 ? Cost() : vector_work(3 * d(), 3);
  if (!is_exact()) return vector_work(4 * d(), 7) + relaxing;
  return vector_work(6 * d(), 9) + relaxing + RidgeSystem::solve_work(blocks_[k]);
}

Cost ConsensusAdmm::server_work(std::size_t answers) const {
  const auto m = static_cast<Index>(answers);
  return vector_work(2 * m * d() + d() + P_.flops(d()), 3 * m + 3);
}

ConsensusAdmm::ConsensusAdmm(const ConsensusAdmmOptions& options, MethodInput assignment)
    : FederatedMethod(ConsensusAdmmOptions::kind, {.keeps_constraint = true}, std::move(assignment)),
      P_(problem(), ConsensusAdmmOptions::kind),
      rho_(positive("penalty", options.penalty)),
      alpha_(options.relaxation),
      accuracy_(options.accuracy.value_or(1e-8)) {
  const std::vector<Index>& starts = given().sample_starts;
  if (options.local_minimizer == LocalMinimizer::exact) {
    if (!loss().is_squared())
      throw OptionError("local_minimizer", "gradient, since only least squares have exact minimizers", "exact");
    for (std::size_t k = 0; k + 1 < starts.size(); ++k)
      blocks_.push_back(problem().X->row_range(starts[k], starts[k + 1] - starts[k]));
    return;
  }
  need_gradient(ConsensusAdmmOptions::kind);
  const double n = static_cast<double>(problem().samples);
  for (const AgentId k : clients().agents()) {
    const double norm = spectral_norm(problem().X->row_range(starts[k], starts[k + 1] - starts[k]));
    minimizers_.emplace_back(loss(), clients().pi(k), loss().smoothness().value() * norm * norm / n, rho_, accuracy_);
  }
}

std::vector<Constant> ConsensusAdmm::constants() const {
  std::vector<Constant> values{{"penalty", rho_}, {"relaxation", alpha_}};
  if (!is_exact()) values.emplace_back("accuracy", accuracy_);
  return values;
}

std::optional<Bytes> ConsensusAdmm::memory() const {
  Bytes numbers = (agents() + 4) * d();  // the server's newest answers, and the multipliers
  Bytes copies = 0;
  for (const DataMatrix& A : blocks_) {
    const Index m = std::min(A.rows(), A.cols());
    numbers += 2 * m * m + 2 * d();
    copies += A.bytes();
  }
  return *FederatedMethod::memory() + copies + Bytes{sizeof(double)} * numbers;
}

}  // namespace lagnet
