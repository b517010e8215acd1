#include "algorithms/peers/bases/peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/problem/weighted_loss.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

Index count_of(const std::vector<Index>& starts, AgentId i) { return starts[i + 1] - starts[i]; }

}  // namespace

PeerAlgorithm::PeerAlgorithm(MethodInput input, std::string_view kind, const AlgorithmTraits& traits)
    : AlikeAgents(std::move(input)) {
  const Problem& problem = given().problem;
  need_gradient(*problem.loss, kind);
  check_composite(problem, kind, traits);
  smooth_ = part_of_every_f(problem, traits);
  const std::vector<Index>& starts = given().sample_starts;
  LAGNET_CHECK(std::ssize(starts) == given().network.agents + 1, "{} starts of samples for {} agents", starts.size(),
               given().network.agents);
  const auto rows = std::make_shared<const SampleRows>(*problem.X, problem.y);
  for (AgentId i = 0; i + 1 < starts.size(); ++i) {
    const Index n = count_of(starts, i);
    if (n < 1) throw Diagnosed("kind", "at least one sample for each agent", "none for agent " + std::to_string(i));
    blocks_.emplace_back(rows, starts[i], n);
    batches_.emplace_back(static_cast<std::size_t>(n));
    std::iota(batches_.back().begin(), batches_.back().end(), Index{0});
  }
  weights_ = agent_weights(given().agent_weights, starts);
  pooled_ = pooled(problem, given().agent_weights, starts);
}

void PeerAlgorithm::need_one_agent(std::string_view kind) const {
  if (given().network.agents == 1) return;
  throw Diagnosed("kind", "an algorithm for several agents, or a topology with 1 agent",
                  std::string(kind) + " with " + std::to_string(given().network.agents) + " agents");
}

void PeerAlgorithm::need_square(std::string_view kind) const {
  if (!smooth_ || smooth_->l2_weight()) return;
  throw Diagnosed("kind", "an algorithm that needs no more of the regularizer than its gradient, or l2 or none",
                  std::string(kind));
}

std::vector<Vector> PeerAlgorithm::first_report(AgentId) const { return {Vector::Zero(given().timing_only ? 0 : d())}; }

std::vector<std::string> PeerAlgorithm::metric_names() const {
  return {"normalized_error", "optimum_distance", "consensus_error"};
}

Evaluation PeerAlgorithm::evaluate(Round, RoundReport report, const ErrorScale& error_scale) const {
  Vector mean = mean_of(report);
  std::optional<double> normalized_error, optimum_distance;
  if (given().truth && given().truth->squaredNorm() > 0)
    normalized_error = mean_square_distance(report, *given().truth) / given().truth->squaredNorm();
  if (error_scale.minimizer) optimum_distance = mean_square_distance(report, *error_scale.minimizer);
  const double consensus_error = root_mean_square_distance(report, mean);
  const double value = objective(mean);
  return {
      .iterate = std::move(mean), .objective = value, .metrics = {normalized_error, optimum_distance, consensus_error}};
}

std::optional<Bytes> PeerAlgorithm::memory() const {
  const DataMatrix& X = *given().problem.X;
  return X.bytes() + Bytes{sizeof(double)} * (14 * given().network.agents * d() + 2 * X.rows());
}

Vector PeerAlgorithm::loss_gradient(AgentId i, VectorRef theta, std::span<const Index> batch) const {
  Vector g = blocks_[i].gradient(*given().problem.loss, theta, batch);
  if (weights_[i] != 1) g *= weights_[i];
  return g;
}

Vector PeerAlgorithm::gradient(AgentId i, VectorRef theta, std::span<const Index> batch) const {
  Vector g = loss_gradient(i, theta, batch);
  if (smooth_) g += *smooth_->subgradient(theta);
  return g;
}

Cost PeerAlgorithm::gradient_work(AgentId i, std::span<const Index> batch) const {
  // Counted are the two products alone, not the losses' derivatives and the factor w_i / n_i.
  const Index c = given().problem.loss->outputs();
  const Cost whole = blocks_[i].gradient_work(batch, c);
  const Flops of_r = smooth_ ? smooth_->subgradient_flops(d()) : 0;
  return {whole.flops - RowBlock::loss_flops(std::ssize(batch), c) - d() + of_r, whole.bytes};
}

Minibatches PeerAlgorithm::minibatches(const Agent& me, Round t, std::optional<Index> size, Index points) const {
  const RowBlock& own = blocks_[me.id()];
  const bool matter = !me.timing_only() || own.is_sparse();  // the rows of a sparse batch make its work
  return {own.rows(), size, matter ? points : 0, me.draws(Purpose{"minibatch"}, t)};
}

void PeerAlgorithm::remark_on_batch(std::optional<Index> size) {
  if (!size || std::ranges::none_of(blocks_, [&](const RowBlock& own) { return *size < own.rows(); })) return;
  add_warning({"batch_not_exact",
               {{"batch", static_cast<double>(*size)}},
               fmt::format("gradients of {} samples leave an error that falls with the step: with those of all samples "
                           "(batch: null) the method is exact",
                           *size)});
}

Cost PeerAlgorithm::gradients_work(AgentId i, std::optional<Index> size, const Minibatches& batches,
                                   Index points) const {
  const Index n = blocks_[i].rows(), b = std::min(size.value_or(n), n);
  if (b == n) return points * gradient_work(i);
  if (!blocks_[i].is_sparse())  // all cost the same
    return points * gradient_work(i, all_samples(i).first(static_cast<std::size_t>(b)));
  Cost all;
  for (Index k = 0; k < points; ++k) all = all + gradient_work(i, batches.of_step(k));
  return all;
}

StronglyConvexPeers::StronglyConvexPeers(const OwnCurvatureOptions& options, MethodInput input, std::string_view kind,
                                         const AlgorithmTraits& traits)
    : PeerAlgorithm(std::move(input), kind, traits) {
  if (given().timing_only) return;
  if (options.mu) {
    mu_ = positive("mu", *options.mu);
  } else {
    mu_ = need_strong_convexity(least_curvature_of_agents(), 0, "theory");
  }
  L_ = options.L ? positive("L", *options.L) : largest_curvature_of_agents("L");
  if (L_ >= mu_) return;
  if (options.L) throw Diagnosed("L", fmt::format("at least mu, which is {:.6g}", mu_), fmt::format("{}", L_));
  if (options.mu) throw Diagnosed("mu", fmt::format("at most L, which is {:.6g}", L_), fmt::format("{}", mu_));
  L_ = mu_;  // they are equal but for the rounding of both
}

}  // namespace lagnet
