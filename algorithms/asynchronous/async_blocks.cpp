#include "algorithms/asynchronous/async_blocks.hpp"

#include <fmt/format.h>

#include <utility>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/rounds.hpp"

namespace lagnet {

Task<> AsyncBlocks::serve(Agent& me) const {
  const Index n = given_.problem.samples;
  StateVector z = me.vector(rows());                                       // sum_j q_j                       (n)
  std::vector<Vector> q(static_cast<std::size_t>(given_.network.agents));  // A_j theta_j, by agent           (n each)
  Message m;                                                               // a worker's newest A_j theta_j   (n)
  ServerJobs jobs(me);

  auto replace = [&] {
    z += m.body.view() - q[m.from];
    q[m.from] = m.body.view();  // (3.14)
  };

  if (z.has_numbers())
    for (const AgentId j : workers_) z += q[j] = times_start(j);
  me.report(0);
  jobs.hand_to_all(0, z);
  for (Round v = 0; v < given_.rounds;) {
    m = co_await me.receive_drawn();
    if (!jobs.takes(m, v, z)) continue;
    jobs.used(m, v);
    const Cost replacing(2 * n, Bytes{sizeof(double)} * 5 * n);
    co_await me.compute(replacing, replace);
    me.report(++v);
    jobs.hand(m.from, v, z);
  }
}

Task<> AsyncBlocks::work(Agent& me) const {
  const ColumnBlock& A = blocks_[me.id()];
  const Problem& problem = given_.problem;
  const double gamma = gamma_[me.id()], gamma_n = gamma / static_cast<double>(problem.samples);
  StateVector theta = me.vector(A.cols());  // own coefficients     (d_j)
  Vector slope;                             // l'(z, y)             (n)
  Payload::Draft q;                         // A_j theta_j          (n)
  std::optional<Message> m;                 // z                    (n)
  ClientJobs jobs(me, resend_);
  if (theta.has_numbers()) theta = start_of(me.id());

  auto columns = [&](Index first, Eigen::Ref<Vector> x) {  // x = A_c' slope of a few columns c
    auto theta_c = theta.segment(first, x.size());
    theta_c = problem.regularizer->prox(theta_c - gamma_n * x, gamma);  // (3.13)
    x = theta_c;
  };
  auto step = [&] {
    slope = problem.loss->derivative(m->body.view(), problem.y);
    A.sweep(slope, q.vector(), columns);
  };

  me.report(0, theta);
  for (;;) {
    m = co_await me.receive_until(jobs.patience());
    if (!jobs.is_new(m)) continue;
    q = me.draft(rows());
    co_await me.update(jobs.n(), step_work(A), step);
    jobs.answer(*m, q.finish());
    me.report(jobs.n(), theta);
  }
}

Vector AsyncBlocks::start_of(AgentId worker) const {
  const Index first = given_.feature_starts[worker], count = blocks_[worker].cols();
  if (given_.start.size() == 0) return Vector::Zero(count);
  return given_.start.segment(first, count);
}

Vector AsyncBlocks::times_start(AgentId worker) const {
  Vector q = Vector::Zero(rows());
  if (given_.start.size() == 0) return q;
  const Vector theta = start_of(worker), nothing = Vector::Zero(rows());
  const auto columns = [&theta](Index first, Eigen::Ref<Vector> x) { x = theta.segment(first, x.size()); };
  blocks_[worker].sweep(nothing, q, columns);
  return q;
}

std::vector<Vector> AsyncBlocks::first_report(AgentId agent) const {
  if (given_.timing_only) return {Vector()};
  return {start_of(agent)};
}

Evaluation AsyncBlocks::evaluate(Round, RoundReport report, const ErrorScale&) const {
  Evaluation evaluation;
  evaluation.iterate.resize(given_.problem.X->cols());
  for (const AgentId j : workers_)
    evaluation.iterate.segment(given_.feature_starts[j], blocks_[j].cols()) = report[j][0];
  evaluation.objective = given_.problem.objective(evaluation.iterate);
  return evaluation;
}

Cost AsyncBlocks::step_work(const ColumnBlock& A) const {
  const Index n = given_.problem.samples, d_j = A.cols();
  const Flops products = A.transpose_times_flops() + A.add_times_flops();
  const Flops step = 2 * d_j + given_.problem.regularizer->prox_flops(d_j);
  return {products + n + step, 2 * A.bytes() + Bytes{sizeof(double)} * (6 * n + 4 * d_j)};
}

void AsyncBlocks::spawn(Host& host) const {
  spawn_server_and(
      host, workers_, [this](Agent& me) { return serve(me); }, [this](Agent& me) { return work(me); });
}

AsyncBlocks::AsyncBlocks(const AsyncBlocksOptions& options, MethodInput given)
    : given_(std::move(given)), resend_(resend_after(options.resend_ms)) {
  const Problem& problem = given_.problem;
  if (problem.constraint)
    throw Diagnosed("kind", "an algorithm that keeps to the problem's constraint",
                    std::string(AsyncBlocksOptions::kind));
  need_gradient(*problem.loss, AsyncBlocksOptions::kind);
  const std::vector<Index>& starts = given_.feature_starts;
  const auto agents = static_cast<AgentId>(given_.network.agents);
  for (AgentId j = 0; j < agents; ++j) {
    blocks_.emplace_back(problem.X, starts[j], starts[j + 1] - starts[j], problem.samples);
    if (j != server_agent) workers_.push_back(j);
  }
  if (!options.steps.empty() && options.steps.size() != workers_.size())
    throw Diagnosed("steps", fmt::format("{} numbers, one for each worker", workers_.size()),
                    fmt::format("{}", options.steps.size()));
  double gamma = options.step.value_or(0);
  if (!options.step && options.steps.empty() && !given_.timing_only) gamma = 1 / largest_curvature({}, given_);
  gamma_.assign(agents, gamma);
  for (std::size_t j = 0; j < options.steps.size(); ++j) gamma_[workers_[j]] = options.steps[j];
  if (gamma > 0) add_constant("step", gamma);
  add_warnings(warnings_of_silence(given_, options.resend_ms));
}

std::optional<Bytes> AsyncBlocks::memory() const {
  // The server has z, a q of each worker and an answer under way; a worker has slope, q and the z that it computes
  // from.
  return Bytes{sizeof(double)} * ((5 * given_.network.agents + 2) * rows() + 3 * given_.problem.X->cols());
}

}  // namespace lagnet
