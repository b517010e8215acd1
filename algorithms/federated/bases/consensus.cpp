#include "algorithms/federated/bases/consensus.hpp"

#include "algorithms/central/gram.hpp"

namespace lagnet {

namespace {
Cost consensus_work(Index d, Flops flops, Index passes) { return {flops, Bytes{sizeof(double)} * passes * d}; }
}  // namespace

void check_minimizer(LocalMinimizer minimizer, const Loss& loss) {
  if (minimizer == LocalMinimizer::exact && !loss.is_squared())
    throw Diagnosed("local_minimizer", "gradient, since only least squares have exact minimizers", "exact");
}

LocalMinimizers::LocalMinimizers(LocalMinimizer kind, double accuracy, const MethodInput& given, const Clients& clients,
                                 double rho)
    : problem_(given.problem),
      clients_(clients),
      starts_(given.sample_starts),
      n_rho_(static_cast<double>(given.problem.samples) * rho) {
  const DataMatrix& X = *problem_.X;
  if (kind == LocalMinimizer::exact) {
    for (std::size_t k = 0; k + 1 < starts_.size(); ++k)
      blocks_.push_back(X.row_range(starts_[k], starts_[k + 1] - starts_[k]));
    return;
  }
  const double smoothness = problem_.loss->smoothness().value(), n = static_cast<double>(problem_.samples);
  for (const AgentId k : clients.agents()) {
    const double norm = spectral_norm(X.row_range(starts_[k], starts_[k + 1] - starts_[k]));
    minimizers_.emplace_back(*problem_.loss, clients.pi(k), smoothness * norm * norm / n, rho, accuracy);
  }
}

Bytes LocalMinimizers::memory() const {
  Bytes exact = 0;
  for (const DataMatrix& A : blocks_)
    exact += A.bytes() + RidgeSystem::memory(A) + Bytes{sizeof(double)} * 2 * problem_.dim();
  return exact;
}

ConsensusClient::ConsensusClient(const LocalMinimizers& minimizers, const Agent& me)
    : u(me.vector(minimizers.problem_.dim())), minimizers_(minimizers), k_(me.id()), v_(u) {
  if (minimizers.are_exact()) system_.emplace(minimizers.blocks_[k_], minimizers.n_rho_);
}

void ConsensusClient::factor() {
  if (!system_) return;
  system_->factor();
  const Index first = minimizers_.starts_[k_], count = minimizers_.starts_[k_ + 1] - first;
  A_y_ = minimizers_.blocks_[k_].transpose_times(minimizers_.problem_.y.segment(first, count));
}

Cost ConsensusClient::factor_work() const {
  if (!minimizers_.are_exact()) return {};
  const DataMatrix& A_k = minimizers_.blocks_[k_];
  return RidgeSystem::factor_work(A_k) + Cost(2 * A_k.nonzeros(), A_k.bytes());
}

void ConsensusClient::step(VectorView z) {
  if (x.size() > 0) u += x - z;
  v_ = z - u;
  if (system_) {
    x = A_y_ + minimizers_.n_rho_ * v_;
    x = system_->solve(x);
    return;
  }
  if (x.size() == 0) x = z;
  const SmoothProx& minimizer = minimizers_.minimizers_[k_ - 1];
  const RowBlock& samples = minimizers_.clients_.samples(k_);
  const Index gradients = minimizer.solve(samples, v_, x);
  const Cost each = minimizer.work_of_gradient(samples);
  more_ = {gradients * each.flops, gradients * each.bytes};
}

Cost ConsensusClient::step_work() const {
  const Index d = u.size();
  if (!minimizers_.are_exact()) return consensus_work(d, 4 * d, 7);
  return consensus_work(d, 6 * d, 9) + RidgeSystem::solve_work(minimizers_.blocks_[k_]);
}

NewestAnswers::NewestAnswers(const Agent& me, Index agents, Index d)
    : newest_(static_cast<std::size_t>(agents)), sum_(me.vector(d)), mean_(sum_) {}

const StateVector& NewestAnswers::mean_with(std::span<const Message> answers) {
  for (const Message& answer : answers) {
    Vector& of_client = newest_[answer.from];
    if (of_client.size() == 0)
      ++N_;
    else
      sum_ -= of_client;
    of_client = answer.body.view();
    sum_ += of_client;
  }
  mean_ = sum_ / N_;
  return mean_;
}

}  // namespace lagnet
