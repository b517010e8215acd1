#include "algorithms/peers/fd_primal_dual.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "algorithms/objectives/regularizers/elastic_net.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

/// What is added and taken away again would leave its rounding, so the absent are left out.
double weight_of_present(const GossipRow& row, std::span<const std::uint32_t> absent) {
  if (absent.empty()) return std::reduce(row.neighbors.begin(), row.neighbors.end());
  double sum = 0;
  auto next = absent.begin();  // ascending, like the neighbors
  for (std::uint32_t k = 0; k < row.neighbors.size(); ++k)
    if (next != absent.end() && *next == k)
      ++next;
    else
      sum += row.neighbors[k];
  return sum;
}

}  // namespace

Task<> FdPrimalDual::run(Agent& me) const {
  const ColumnBlock X = blocks_[me.id()];  // a copy, which lies with the rest of what the agent uses
  const Loss& l = *given_.problem.loss;
  const Regularizer& r = regularizer(me.id());
  const bool owns_labels = me.id() == label_agent_;
  const double n = static_cast<double>(given_.problem.samples);
  const GossipRow* weights = laplacian_.empty() ? nullptr : &laplacian_[me.id()];
  auto came = [&] { return me.degree() - std::ssize(me.absent()); };
  // The diagonal of L, on the graph of those whose vectors the last exchange contains.
  auto degree = [&] { return weights ? weight_of_present(*weights, me.absent()) : static_cast<double>(came()); };
  const auto [sigma, tau] = steps();

  StateVector theta = me.vector(X.cols());  // own coefficients           (d_j)
  StateVector theta_next = theta;           // theta^+                    (d_j)
  StateVector theta_sum = theta;            // theta^1 + .. + theta^t     (d_j)
  StateVector theta_bar = theta;            // their average              (d_j)
  StateVector v = me.vector(X.rows());      // agreement multiplier       (n)
  Payload lambda(v);                        // own copy of the dual       (n)
  Payload::Draft w;                         // 2 v^+ - v                  (n)
  Payload::Draft lambda_next;               // X_j (2 theta^+ - theta) first, then lambda^+   (n)

  auto primal_columns = [&](Index first, Eigen::Ref<Vector> x) {  // x = X_c' lambda of a few columns c
    auto theta_c = theta.segment(first, x.size());
    theta_next.segment(first, x.size()) = r.prox(theta_c - (tau / n) * x, tau);  // (9)
    x = 2 * theta_next.segment(first, x.size()) - theta_c;
  };
  auto primal_step = [&] { X.sweep(lambda.view(), lambda_next.vector(), primal_columns); };
  auto agree = [&](Index i, VectorView lambda_i, VectorView lambda_sum) {  // rows i, i + 1, .. of lambda_j and its sum
    const double deg = degree();
    for (Index k = 0; k < lambda_sum.size(); ++k, ++i) {
      const double g = tau / n * (deg * lambda_i[k] - lambda_sum[k]);
      v[i] -= g;  // (10)
      w[i] = v[i] - g;
    }
  };
  auto ascend = [&](Index i, VectorView w_i, VectorView w_sum) {
    const VectorView lambda_i = lambda.view();
    const double deg = degree();
    for (Index k = 0; k < w_sum.size(); ++k, ++i)
      lambda_next[i] = lambda_i[i] + (sigma / n) * (lambda_next[i] + (deg * w_i[k] - w_sum[k]));  // (11), (13)
  };
  auto dual_step = [&] {
    if (owns_labels) l.prox_conjugate(lambda_next.vector(), given_.problem.y, sigma / n);  // (12)
    theta = theta_next;
    theta_sum += theta;
  };

  auto report = [&](Round t) {
    if (given_.may_miss_rounds)
      me.report(t, theta, theta_bar, v);
    else
      me.report(t, theta, theta_bar);
  };

  double iterations = 0;  // fewer than t if rounds were missed
  report(0);
  for (Round t = 1; t <= given_.rounds; t = me.next_round(t)) {
    w = me.draft(v.size());
    co_await me.stream_neighbor_sum(lambda, weights, agree);
    lambda_next = me.draft(v.size());
    co_await me.compute(primal_work(X, came()), primal_step);
    co_await me.stream_neighbor_sum(w.finish(), weights, ascend);
    co_await me.compute(dual_work(X, came()), dual_step);
    lambda = lambda_next.finish();
    theta_bar = theta_sum / ++iterations;  // (14)
    report(t);
  }
}

// Of memory, X is read once for each product, and every vector once wherever an expression reads or writes it.

Cost FdPrimalDual::primal_work(const ColumnBlock& X, Index degree) const {
  const Index n = given_.problem.samples, d = X.cols();
  // lambda; the neighbors' vectors and their sum; lambda, sum, v twice, w.
  const Index vectors = n * (degree > 0 ? 1 + (degree + 1) + 5 : 1) + 3 * d;
  return {primal_flops(X, degree), X.bytes() + vectors * Bytes{sizeof(double)}};
}

Cost FdPrimalDual::dual_work(const ColumnBlock& X, Index degree) const {
  const Index n = given_.problem.samples, d = X.cols();
  // The neighbors' vectors and their sum; w, sum, ascent; ascent twice for X e; ascent, lambda twice.
  const Index vectors = n * ((degree > 0 ? (degree + 1) + 3 : 0) + 2 + 3) + 3 * d;
  return {dual_flops(X, degree), X.bytes() + vectors * Bytes{sizeof(double)}};
}

Flops FdPrimalDual::primal_flops(const ColumnBlock& X, Index degree) const {
  const Index n = given_.problem.samples, d = X.cols();
  const Flops gradient = X.transpose_times_flops() + 2 * d + 3 * d;  // product; scale and subtract; prox
  if (degree == 0) return gradient;
  const Flops products = laplacian_.empty() ? 0 : degree * n;  // of the weights with the neighbors' vectors
  // degree lambda - sum; scale; subtract from v.                                            (10): n (deg + 3)
  return gradient + n * (degree + 1) + n + n + products;
}

Flops FdPrimalDual::dual_flops(const ColumnBlock& X, Index degree) const {
  const Index n = given_.problem.samples, d = X.cols();
  // 2 theta^+ - theta is charged one an entry; a single agent adds nothing to X e. The labels' prox (12) and the
  // average are not charged, as in the paper's count.
  const Flops extrapolate = d;
  if (degree == 0) return extrapolate + X.add_times_flops() - n + 2 * n;
  const Flops products = laplacian_.empty() ? 0 : degree * n;
  // w = v^+ - g; degree w - sum; plus X e; scale; add to lambda.                            (11): n (2 d + deg + 4) + d
  return extrapolate + n + n * (degree + 1) + X.add_times_flops() + 2 * n + products;
}

double FdPrimalDual::single_agent_iterations(Round round) const {
  const double n = static_cast<double>(given_.problem.samples), d = static_cast<double>(given_.problem.X->cols());
  const double share = d / static_cast<double>(given_.network.agents);
  const double degree = static_cast<double>(given_.network.max_degree);
  const double single = n * (4 * d + 1) + 5 * d;
  const double agent = given_.network.agents == 1 ? single : n * (4 * share + 2 * degree + 7) + 5 * share;
  return static_cast<double>(round) * agent / single;
}

FdPrimalDual::FdPrimalDual(const FdPrimalDualOptions& options, MethodInput assignment)
    : given_(std::move(assignment)), label_agent_(static_cast<AgentId>(options.label_agent)) {
  const Problem& problem = given_.problem;
  const NetworkFacts& network = given_.network;
  if (options.label_agent >= network.agents)
    throw OptionError("label_agent", fmt::format("an agent below {}", network.agents),
                      std::to_string(options.label_agent));
  LAGNET_CHECK(static_cast<Index>(given_.feature_starts.size()) == network.agents + 1, "{} block starts for {} agents",
               given_.feature_starts.size(), network.agents);
  for (Index j = 0; j < network.agents; ++j) {
    const auto first = given_.feature_starts[static_cast<std::size_t>(j)];
    blocks_.emplace_back(problem.X, first, given_.feature_starts[static_cast<std::size_t>(j) + 1] - first,
                         problem.samples);
  }
  for (const auto& weights : network.link_weights) laplacian_.push_back({.own = 0, .neighbors = weights});
  set_regularizers(options);
  if (given_.timing_only) return;
  const StatedSteps stated{options.sigma, options.tau, options.R, options.chi, options.D, options.delta};
  rule_.emplace(stated, given_, has_own_objective());
}

void FdPrimalDual::set_regularizers(const FdPrimalDualOptions& options) {
  if (options.l1_weights.empty() && options.l2_weights.empty()) return;
  const Index agents = given_.network.agents;
  const auto check = [&](const char* key, const std::vector<double>& weights) {
    if (!weights.empty() && std::ssize(weights) != agents)
      throw OptionError(key, fmt::format("{} numbers, one for each agent", agents), fmt::format("{}", weights.size()));
  };
  check("l1_weights", options.l1_weights);
  check("l2_weights", options.l2_weights);
  const Regularizer& r = *given_.problem.regularizer;
  if (r.l1_weight() != 0.0 || r.l2_weight() != 0.0)
    throw OptionError(options.l1_weights.empty() ? "l2_weights" : "l1_weights",
                      "an empty list, or a problem without a regularizer", "a problem that has one");
  const auto of = [](const std::vector<double>& weights, std::size_t j) { return weights.empty() ? 0.0 : weights[j]; };
  for (std::size_t j = 0; j < static_cast<std::size_t>(agents); ++j)
    regularizers_.push_back(make_regularizer(
        ElasticNetOptions{.l1_weight = of(options.l1_weights, j), .l2_weight = of(options.l2_weights, j)}));
}

double FdPrimalDual::objective(const Vector& theta) const {
  double value = given_.problem.objective(theta);
  for (std::size_t j = 0; j < regularizers_.size(); ++j) {
    const Index first = given_.feature_starts[j];
    value += regularizers_[j]->value(theta.segment(first, given_.feature_starts[j + 1] - first));
  }
  return value;
}

void FdPrimalDual::spawn(Host& host) const {
  for (AgentId j = 0; j < static_cast<AgentId>(given_.network.agents); ++j)
    host.spawn(j, [this](Agent& me) { return run(me); });
}

std::vector<AgentId> FdPrimalDual::reporters() const { return all_agents(given_.network.agents); }

std::vector<Vector> FdPrimalDual::first_report(AgentId agent) const {
  if (given_.timing_only) return {Vector()};
  const Vector theta = Vector::Zero(blocks_[agent].cols());
  if (!given_.may_miss_rounds) return {theta, theta};
  return {theta, theta, Vector::Zero(blocks_[agent].rows())};
}

std::vector<std::string> FdPrimalDual::metric_names() const {
  std::vector<std::string> names{"objective_last", "relative_error_last", "single_agent_iterations"};
  if (given_.may_miss_rounds) names.emplace_back("multiplier_drift");
  return names;
}

Evaluation FdPrimalDual::evaluate(Round round, RoundReport report, const ErrorScale& yardstick) const {
  const Vector last = joined(report, 0);  // theta^t      (d)
  Vector average = joined(report, 1);     // theta_bar_t  (d)
  const double objective_last = objective(last);
  Evaluation evaluation;
  evaluation.objective = objective(average);
  evaluation.iterate = std::move(average);
  evaluation.metrics = {objective_last, yardstick.relative_error(objective_last), single_agent_iterations(round)};
  if (given_.may_miss_rounds) evaluation.metrics.emplace_back(multiplier_drift(report));
  return evaluation;
}

double FdPrimalDual::multiplier_drift(RoundReport report) {
  Vector sum = Vector::Zero(report[0][2].size());  // of the v_j      (n)
  double norms = 0;
  for (const auto& parts : report) {
    sum += parts[2];
    norms += parts[2].norm();
  }
  return norms > 0 ? sum.norm() / norms : 0;
}

std::vector<std::string> FdPrimalDual::remarks(const RunCounts& counts) const {
  if (counts.missing == 0) return {};
  return {
      fmt::format("{} messages of neighbors were missing: the multipliers of the agreement no longer add up to zero "
                  "(column multiplier_drift), so the limit need not be a minimizer of F",
                  counts.missing)};
}

std::optional<Bytes> FdPrimalDual::memory() const {
  const Index n = given_.problem.X->rows(), d = given_.problem.X->cols(), m = given_.network.agents;
  return Bytes{sizeof(double)} * (10 * n * m + 10 * d);
}

std::vector<std::string> FdPrimalDual::warnings() const {
  if (!rule_) return {};
  std::vector<std::string> texts = rule_->warnings();
  if (given_.network.changes)
    texts.emplace_back(
        "the topology changes: Theorem 1 and its steps assume one graph, and the multipliers would settle differently "
        "on each, so that the error may level off or grow; D and delta are those of all edges together");
  return texts;
}

}  // namespace lagnet
