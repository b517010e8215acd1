#include "algorithms/dual/dual_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/interface/rounds.hpp"
#include "algorithms/objectives/soft_threshold.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

DualMethod::DualMethod(std::string_view kind, const LocalOptions& local, bool takes_l1, MethodInput given)
    : given_(std::move(given)), local_(local) {
  const std::string method(kind);
  if (problem().constraint) throw Diagnosed("kind", "an algorithm that keeps to the problem's constraint", method);
  if (loss().outputs() != 1) throw Diagnosed("kind", "an algorithm for losses of several scores a sample", method);
  const auto l1 = problem().regularizer->l1_weight(), l2 = problem().regularizer->l2_weight();
  if (!l1 || !l2 || (*l1 != 0 && !takes_l1))
    throw Diagnosed("kind",
                    takes_l1 ? "an algorithm for regularizers other than l2, l1 and elastic_net"
                             : "an algorithm for regularizers other than l2, (weight/2) |x|^2",
                    method);
  lambda_ = *l2;
  l1_ = *l1;
  if (!(lambda() > 0))
    throw Diagnosed("eps", "above 0, since the regularizer has no square norm", fmt::format("{}", eps()));
  const std::vector<Index>& starts = given_.sample_starts;
  const auto agents = static_cast<AgentId>(given_.network.agents);
  LAGNET_CHECK(starts.size() == std::size_t{agents} + 1 && starts.front() == 0 && starts[1] == 0 &&
                   starts.back() == problem().X->rows() && std::ranges::is_sorted(starts),
               "shards of {} agents that overlap or miss some of {} samples", agents, problem().X->rows());
  const auto rows = std::make_shared<const SampleRows>(*problem().X, problem().y);
  for (AgentId k = 0; k < agents; ++k) {
    blocks_.emplace_back(rows, starts[k], starts[k + 1] - starts[k]);
    if (k != server_agent) machines_.push_back(k);
    for (Index j = 0; j < blocks_[k].rows(); ++j) R_ = std::max(R_, blocks_[k].squared_norm(j));
  }
  R_ = std::sqrt(R_);
  if (!(R_ > 0)) throw Diagnosed("kind", "an algorithm for data in which all samples are 0", method);
}

double DualMethod::gamma() const {
  const auto smoothness = loss().smoothness();
  return smoothness ? 1 / *smoothness : 0;
}

double DualMethod::kappa() const {
  const double strong = gamma() + eps();
  return strong > 0 ? R_ * R_ / (lambda() * strong) : std::numeric_limits<double>::infinity();
}

Vector DualMethod::start() const { return given_.start.size() > 0 ? given_.start : Vector(Vector::Zero(d())); }

Cost DualMethod::pull_back_work(const RowBlock& block) const {
  constexpr Bytes number = sizeof(double), index = sizeof(SparseMatrix::StorageIndex);
  const Index nnz = block.all_entries();
  return {2 * nnz, (block.is_sparse() ? number + index : number) * nnz};
}

void DualMethod::make_solver(double rho) { solver_ = make_local_solver(local_.local_solver, R_, gamma(), eps() + rho); }

std::vector<Index> DualMethod::steps(const Agent& me, Round round) const {
  return step_order(local_.order, local_.local_steps, samples(me.id()).rows(), me.draws(local_step_purpose, round));
}

Cost DualMethod::local_work(AgentId machine, std::span<const Index> steps) const {
  return solver_->work(samples(machine), steps, l1_ > 0) + pull_back_work(samples(machine));
}

void DualMethod::spawn(Host& host) const {
  const auto revealed = std::make_shared<Reveal>(given_.network.agents);
  spawn_server_and(
      host, machines_, [this, revealed](Agent& me) { return center(me, revealed); },
      [this, revealed](Agent& me) { return machine(me, revealed); });
}

void DualMethod::take_revealed(Vector& y, std::span<const Message> answers, const Reveal& revealed) const {
  for (const Message& answer : answers)
    y.segment(first_sample(answer.from), samples(answer.from).rows()) = revealed.shown_by(answer.from).reshaped();
}

Evaluation DualMethod::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const Vector& x = report[server_agent][0];
  const Vector& y = report[server_agent][1];
  Evaluation worth{.iterate = x, .objective = problem().objective(x), .metrics = {std::nullopt, std::nullopt}};
  if (!(lambda_ > 0)) return worth;
  const Vector v = problem().pulled_back(y);  // sum_i y_i a_i   (d)
  const double conjugate = l1_ > 0 ? soft_threshold(v / n(), l1_).squaredNorm() / (2 * lambda_)
                                   : v.squaredNorm() / (n() * n() * 2 * lambda_);
  const double dual = 0 - loss().total_conjugate(y, problem().y) / n() - conjugate;
  if (std::isfinite(dual)) worth.metrics = {dual, worth.objective - dual};
  return worth;
}

std::optional<Bytes> DualMethod::memory() const {
  // A machine has x, xbar, u, C, x0, its request and its answer, the center x, v and what the machines sent last.
  const Index vectors = 8 * given_.network.agents + 4;
  return problem().X->bytes() + Bytes{sizeof(double)} * (vectors * d() + 6 * samples_of_all());
}

Remarks DualMethod::remarks(const RunCounts& counts) const {
  return remark_on_missing(counts.missing, "machines", without_answers());
}

}  // namespace lagnet
