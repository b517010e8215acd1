#include "algorithms/peers/bases/peers.hpp"

#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "algorithms/interface/proximal_map.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

bool is_even(const std::vector<Index>& starts) {
  for (std::size_t i = 1; i < starts.size(); ++i)
    if (starts[i] - starts[i - 1] != starts[1]) return false;
  return true;
}

Index count_of(const std::vector<Index>& starts, AgentId i) { return starts[i + 1] - starts[i]; }

}  // namespace

PeerAlgorithm::PeerAlgorithm(MethodInput input, std::string_view kind) : AlikeAgents(std::move(input)) {
  const Problem& problem = given().problem;
  if (!problem.loss->smoothness())
    throw OptionError("kind", "an algorithm that needs no gradient, which this loss does not have everywhere",
                      std::string(kind));
  const std::vector<Index>& starts = given().sample_starts;
  LAGNET_CHECK(std::ssize(starts) == given().network.agents + 1, "{} starts of samples for {} agents", starts.size(),
               given().network.agents);
  even_ = is_even(starts);
  const auto rows = std::make_shared<const SampleRows>(*problem.X, problem.y);
  for (AgentId i = 0; i + 1 < starts.size(); ++i) {
    const Index n = count_of(starts, i);
    if (n < 1) throw OptionError("kind", "at least one sample for each agent", "none for agent " + std::to_string(i));
    blocks_.emplace_back(rows, starts[i], n);
    batches_.emplace_back(static_cast<std::size_t>(n));
    std::iota(batches_.back().begin(), batches_.back().end(), Index{0});
  }
}

void PeerAlgorithm::need_smooth(std::string_view kind) const {
  if (ProximalMap(given().problem, kind).is_identity()) return;
  throw OptionError("kind", "an algorithm that knows regularizers and constraints, or a problem without",
                    std::string(kind));
}

void PeerAlgorithm::need_one_agent(std::string_view kind) const {
  if (given().network.agents == 1) return;
  throw OptionError("kind", "an algorithm for several agents, or a topology with 1 agent",
                    std::string(kind) + " with " + std::to_string(given().network.agents) + " agents");
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
  const double consensus_error = mean_square_distance(report, mean);
  const double value = objective(mean);
  return {
      .iterate = std::move(mean), .objective = value, .metrics = {normalized_error, optimum_distance, consensus_error}};
}

std::optional<Bytes> PeerAlgorithm::memory() const {
  const DataMatrix& X = *given().problem.X;
  return X.bytes() + Bytes{sizeof(double)} * (14 * given().network.agents * d() + 2 * X.rows());
}

double PeerAlgorithm::objective(VectorRef theta) const {
  const Problem& problem = given().problem;
  if (even_) return problem.objective(theta);
  const Vector losses = problem.losses_of_shards(theta, given().sample_starts);
  double sum = 0;
  for (Index i = 0; i < losses.size(); ++i)
    sum += losses[i] / static_cast<double>(samples(static_cast<AgentId>(i)).rows());
  return sum / static_cast<double>(losses.size()) + problem.regularizer->value(theta);
}

Vector PeerAlgorithm::gradient(AgentId i, VectorRef theta) const {
  return blocks_[i].gradient(*given().problem.loss, theta, batches_[i]);
}

Cost PeerAlgorithm::gradient_work(AgentId i) const {
  // The sheet counts the two products alone, not the losses' derivatives and the factor 1/n_i.
  const Index c = given().problem.loss->outputs(), n = blocks_[i].rows();
  const Cost whole = blocks_[i].gradient_work(batches_[i], c);
  return {whole.flops - RowBlock::loss_flops(n, c) - d(), whole.bytes};
}

std::optional<Problem> pooled(const Problem& problem, const std::vector<Index>& starts) {
  if (is_even(starts)) return problem;
  if (!problem.loss->is_squared()) return std::nullopt;
  const double N = static_cast<double>(problem.samples), m = static_cast<double>(starts.size() - 1);
  Vector scale(problem.X->rows());  // of each row
  for (AgentId i = 0; i + 1 < starts.size(); ++i) {
    const Index n = count_of(starts, i);
    scale.segment(starts[i], n).setConstant(std::sqrt(N / (m * static_cast<double>(n))));
  }
  Problem scaled = problem;
  scaled.y = scale.cwiseProduct(problem.y);
  if (const auto* sparse = problem.X->as_sparse())
    scaled.X = std::make_shared<const DataMatrix>(SparseMatrix(scale.asDiagonal() * *sparse));
  else
    scaled.X = std::make_shared<const DataMatrix>(Matrix(scale.asDiagonal() * problem.X->dense()));
  return scaled;
}

}  // namespace lagnet
