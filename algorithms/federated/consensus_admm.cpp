#include "algorithms/federated/consensus_admm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "algorithms/central/spectral_norm.hpp"
#include "algorithms/interface/curvature.hpp"

namespace lagnet {

Task<> ConsensusAdmm::serve(Agent& me) const {
  Vector z = clients().start();                                    // the iterate                         (d)
  std::vector<Vector> newest(static_cast<std::size_t>(agents()));  // x_k + u_k, by agent; empty: none yet  (d)
  Vector sum = Vector::Zero(d());                                  // of them                             (d)
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
    z = P_(sum / N, 1 / (N * rho_));
  };

  me.report(0, z);
  for (Round t = 1; t <= rounds(); ++t) {
    const Cohort S = me.cohort(t);
    send_to_all(me, S.members, t, z);
    answers = co_await me.collect(t, S);
    if (!answers.empty()) co_await me.compute(server_work(answers.size()), agree);
    me.report(t, z);
  }
}

Task<> ConsensusAdmm::train(Agent& me) const { return is_exact() ? train_exactly(me) : train_by_gradients(me); }

Task<> ConsensusAdmm::train_exactly(Agent& me) const {
  const DataMatrix& A = blocks_[me.id()];
  const double n = static_cast<double>(problem().samples);
  RidgeSystem system(A, n * rho_);  // A_k'A_k + n rho I
  Vector A_y;                       // A_k'y_k                          (d)
  Message request;                  // z, the server's iterate          (d)
  Vector x;                         // own iterate, over-relaxed        (d)
  Vector u = Vector::Zero(d());     // multiplier of x_k = z, over rho  (d)
  Vector sent;                      // x + u                            (d)
  auto factor = [&] {
    system.factor();
    A_y = A.transpose_times(problem().y.segment(given().sample_starts[me.id()], A.rows()));
  };
  auto local_step = [&] {
    const VectorView z = request.body.view();
    ascend(z, x, u);
    x = system.solve(A_y + n * rho_ * (z - u));
    sent = relaxed(z, x, u);
  };
  co_await me.compute(start_work(me.id()), factor);
  for (;;) {
    request = co_await next_request(me);
    co_await me.compute(local_work(me.id()), local_step);
    me.send(server_agent, request.round, sent);
  }
}

Task<> ConsensusAdmm::train_by_gradients(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  const SmoothProx& minimizer = minimizers_[me.id() - 1];
  Message request;               // z, the server's iterate                  (d)
  Vector x;                      // own iterate, over-relaxed after a round  (d)
  Vector u = Vector::Zero(d());  // multiplier of x_k = z, over rho          (d)
  Vector sent;                   // x + u                                    (d)
  Index gradients = 0;           // that the local step took
  auto local_step = [&] {
    const VectorView z = request.body.view();
    ascend(z, x, u);
    if (x.size() == 0) x = z;
    gradients = minimizer.solve(samples, z - u, x);
    sent = relaxed(z, x, u);
  };
  for (;;) {
    request = co_await next_request(me);
    co_await me.compute(local_work(me.id()), local_step);
    co_await me.compute(times(gradients, minimizer.work_of_gradient(samples)));
    me.send(server_agent, request.round, sent);
  }
}

void ConsensusAdmm::ascend(VectorView z, const Vector& x_hat, Vector& u) {
  if (x_hat.size() > 0) u += x_hat - z;
}

Vector ConsensusAdmm::relaxed(VectorView z, Vector& x, const Vector& u) const {
  if (alpha_ != 1) x = alpha_ * x + (1 - alpha_) * z;
  return x + u;
}

Cost ConsensusAdmm::start_work(AgentId k) const {
  if (!is_exact()) return {};
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

std::vector<std::pair<std::string, double>> ConsensusAdmm::constants() const {
  std::vector<std::pair<std::string, double>> values{{"penalty", rho_}, {"relaxation", alpha_}};
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

std::vector<std::string> ConsensusAdmm::remarks(std::int64_t missing) const {
  if (missing == 0) return {};
  return {
      fmt::format("{} answers of clients were not there when their rounds were closed: the server went on with what "
                  "these had sent last",
                  missing)};
}

}  // namespace lagnet
