#include "algorithms/federated/bases/clients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

void check_weights(const std::vector<double>& weights, Index clients) {
  if (std::ssize(weights) != clients)
    throw Diagnosed("weights", fmt::format("{} numbers, one for each client", clients),
                    fmt::format("{}", weights.size()));
  for (const double pi : weights)
    if (!(pi >= 0)) throw Diagnosed("weights", "numbers of at least 0", fmt::format("{}", pi));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(std::abs(sum - 1) <= 1e-9))
    throw Diagnosed("weights", "numbers that add up to 1", fmt::format("a sum of {}", sum));
}

}  // namespace

namespace {
/// Zeros that nothing is computed with are not made: they may be too many to be held.
Vector start_of(const MethodInput& given) {
  if (given.start.size() > 0) return given.start;
  return given.timing_only ? Vector() : Vector(Vector::Zero(given.problem.dim()));
}
}  // namespace

Clients::Clients(const MethodInput& given, const std::vector<double>& weights)
    : starts_(given.sample_starts),
      own_weights_(!weights.empty()),
      are_even_(given.agent_weights == AgentWeights::even),
      dim_(given.problem.dim()),
      start_(start_of(given)) {
  LAGNET_CHECK(given.timing_only || start_.size() == dim_, "a start of {} for {} coefficients", start_.size(), dim_);
  const Index agents = given.network.agents;
  const std::vector<AgentId>& parents = given.network.parents;
  const auto first_client = static_cast<AgentId>(parents.empty() ? 1 : std::ranges::count(parents, server_agent));
  if (own_weights_) check_weights(weights, agents - first_client);
  LAGNET_CHECK(static_cast<Index>(starts_.size()) == agents + 1, "{} starts of samples for {} agents", starts_.size(),
               agents);
  const Problem& problem = given.problem;
  const auto rows = std::make_shared<const SampleRows>(
      *problem.X, given.attackers.any() ? given.attackers.labels_held(*problem.loss, problem.y, starts_) : problem.y);
  for (AgentId k = 0; k < static_cast<AgentId>(agents); ++k) {
    const Index first = starts_[k], count = starts_[k + 1] - first;
    LAGNET_CHECK((k < first_client) == (count == 0), "agent {} holds {} samples", k, count);
    blocks_.emplace_back(rows, first, count);
    shares_.push_back(k < first_client ? 0
                      : own_weights_   ? weights[k - first_client]
                      : are_even_      ? 1
                                       : static_cast<double>(count));
    all_shares_ += shares_.back();
    if (k < first_client) continue;
    agents_.push_back(k);
    if (!parents.empty()) shares_[parents[k]] += shares_[k];
  }
}

StateVector Clients::start(const Agent& me) const { return me.timing_only() ? me.vector(dim_) : StateVector(start_); }

bool Clients::weigh_alike() const {
  return std::ranges::all_of(agents_, [this](AgentId k) { return shares_[k] == shares_[agents_.front()]; });
}

std::vector<double> Clients::weights(std::span<const Message> answers) const {
  std::vector<double> q;
  double all = 0;
  for (const Message& answer : answers) all += shares_[answer.from];
  for (const Message& answer : answers) q.push_back(all > 0 ? shares_[answer.from] / all : 0);
  return q;
}

bool Clients::have_weight(std::span<const Message> answers) const {
  return std::ranges::any_of(answers, [this](const Message& answer) { return shares_[answer.from] > 0; });
}

void Clients::add_mean(std::span<const Message> answers, double factor, StateVector& sum, Index which) const {
  const std::vector<double> q = weights(answers);
  for (std::size_t k = 0; k < answers.size(); ++k) sum += factor * q[k] * part_of(answers[k].body, which, sum.size());
}

double Clients::objective(const Problem& problem, VectorRef w) const {
  if (!own_weights_ && !are_even_) return problem.objective(w);
  return objective_of(problem, w, agents_);
}

double Clients::objective_of(const Problem& problem, VectorRef w, std::span<const AgentId> some) const {
  const Vector losses = problem.losses_of_shards(w, starts_);
  double sum = 0, all = 0;
  for (const AgentId k : some) {
    sum += pi(k) * losses[k] / static_cast<double>(samples(k).rows());
    all += pi(k);
  }
  return sum / all + problem.regularizer->value(w);
}

}  // namespace lagnet
