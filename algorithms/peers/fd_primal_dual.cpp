#include "algorithms/peers/fd_primal_dual.hpp"

#include <fmt/format.h>

#include <cmath>

#include "algorithms/peers/bases/mixing.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

Task<FdPrimalDual::InUse> FdPrimalDual::in_use(Agent& me, const ColumnBlock& X) const {
  if (!learning_) co_return InUse{.sigma = steps_.sigma, .tau = steps_.tau, .edge_scale = edge_scale_, .learned = {}};
  const std::vector<double>* weights = laplacian_.empty() ? nullptr : &laplacian_[me.id()].neighbors;
  const auto [chi, D, delta] = co_await learn_constants(me, X, weights, learning_->rule);
  const bool alone = given().network.agents == 1;
  const double n = static_cast<double>(given().problem.samples), m = static_cast<double>(given().network.agents);
  const double s = alone ? 1 : learning_->edge_scale.value_or(theorem1_edge_scale(chi, D, delta));
  const auto [sigma, tau] = theorem1_steps(n, m, learning_->rho, learning_->R, chi, s * D, s * delta);
  Vector learned(3);
  learned << chi, D, delta;
  co_return InUse{.sigma = sigma, .tau = tau, .edge_scale = s, .learned = learned};
}

Task<> FdPrimalDual::run(Agent& me) const {
  const ColumnBlock X = blocks_[me.id()];  // a copy, which lies with the rest of what the agent uses
  const Loss& l = *given().problem.loss;
  const Regularizer& r = regularizers_.of(me.id());
  const bool owns_labels = me.id() == label_agent_;
  const double n = static_cast<double>(given().problem.samples);
  const GossipRow* weights = laplacian_.empty() ? nullptr : &laplacian_[me.id()];
  auto came = [&] { return me.degree() - std::ssize(me.absent()); };
  // The diagonal of L, on the graph of those whose vectors the last exchange contains.
  auto degree = [&] { return weights ? weight_of_present(me, *weights) : static_cast<double>(came()); };
  const auto [sigma, tau, s, learned] = co_await in_use(me, X);

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
      const double g = tau * s / n * (deg * lambda_i[k] - lambda_sum[k]);
      v[i] -= g;  // (10)
      w[i] = v[i] - g;
    }
  };
  auto ascend = [&](Index i, VectorView w_i, VectorView w_sum) {
    const VectorView lambda_i = lambda.view();
    const double deg = degree();
    for (Index k = 0; k < w_sum.size(); ++k, ++i)
      lambda_next[i] = lambda_i[i] + (sigma / n) * (lambda_next[i] + s * (deg * w_i[k] - w_sum[k]));  // (11), (13)
  };
  auto dual_step = [&] {
    if (owns_labels) l.prox_conjugate(lambda_next.vector(), given().problem.y, sigma / n);  // (12)
    theta = theta_next;
    theta_sum += theta;
  };

  auto report = [&](Round t) {
    if (learning_)
      me.report(t, theta, theta_bar, learned);
    else if (given().may_miss_rounds)
      me.report(t, theta, theta_bar, v);
    else
      me.report(t, theta, theta_bar);
  };

  double iterations = 0;  // fewer than t if rounds were missed
  report(0);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    w = me.draft(v.size());
    co_await me.stream_neighbor_sum(lambda, weights, agree);
    lambda_next = me.draft(v.size());
    co_await me.compute(cost_.primal(X, came()), primal_step);
    co_await me.stream_neighbor_sum(w.finish(), weights, ascend);
    co_await me.compute(cost_.dual(X, came()), dual_step);
    lambda = lambda_next.finish();
    theta_bar = theta_sum / ++iterations;  // (14)
    report(t);
  }
}

namespace {

AgentId label_agent_of(const FdPrimalDualOptions& options, Index agents) {
  if (options.label_agent < agents) return static_cast<AgentId>(options.label_agent);
  throw Diagnosed("label_agent", fmt::format("an agent below {}", agents), std::to_string(options.label_agent));
}

}  // namespace

FdPrimalDual::FdPrimalDual(const FdPrimalDualOptions& options, MethodInput input)
    : AlikeAgents(std::move(input)),
      label_agent_(label_agent_of(options, given().network.agents)),
      regularizers_(options.l1_weights, options.l2_weights, given()) {
  const NetworkFacts& network = given().network;
  const std::vector<Index>& starts = given().feature_starts;
  LAGNET_CHECK(std::ssize(starts) == network.agents + 1, "{} block starts for {} agents", starts.size(),
               network.agents);
  for (std::size_t j = 0; j + 1 < starts.size(); ++j)
    blocks_.emplace_back(given().problem.X, starts[j], starts[j + 1] - starts[j], given().problem.samples);
  for (const auto& weights : network.link_weights) laplacian_.push_back({.own = 0, .neighbors = weights});
  cost_ = {.n = given().problem.samples, .is_weighted = !laplacian_.empty(), .is_scaled = options.edge_scale != 1.0};
  if (options.constants == ConstantsFrom::learned) {
    learn_instead(options);
    return;
  }
  if (given().timing_only) return;
  const PrimalDualRule rule(options, given(), has_own_objective());
  steps_ = rule.steps();
  edge_scale_ = rule.edge_scale();
  if (!given().may_miss_rounds) bound_ = rule.bound();
  add_constants(rule.constants());
  add_warnings(rule.warnings());
}

void FdPrimalDual::learn_instead(const FdPrimalDualOptions& options) {
  LAGNET_CHECK(!given().timing_only, "constants cannot be learned without numbers");  // by the traits
  if (given().may_miss_rounds || given().network.changes)
    throw Diagnosed("constants", "exact, since messages may be missing or the topology changes", "learned");
  const Loss& l = *given().problem.loss;
  const double R = options.R ? *options.R : PrimalDualRule::norm_of_minimizer(given(), has_own_objective());
  if (!(R > 0)) throw Diagnosed("R", "R above 0", "a minimizer that is 0");
  learning_ = {.rule = {.root = label_agent_, .iterations = options.power_iterations, .margin = options.margin},
               .rho = (l.lipschitz() ? l.lipschitz() : l.sqrt_lipschitz()).value(),
               .R = R,
               .edge_scale = options.edge_scale};
  add_constant("R", R);
}

std::vector<Vector> FdPrimalDual::first_report(AgentId agent) const {
  if (given().timing_only) return {Vector()};
  const Vector theta = Vector::Zero(blocks_[agent].cols());
  if (learning_) return {theta, theta, Vector::Zero(3)};
  if (!given().may_miss_rounds) return {theta, theta};
  return {theta, theta, Vector::Zero(blocks_[agent].rows())};
}

std::vector<std::string> FdPrimalDual::metric_names() const {
  std::vector<std::string> names{"objective_last", "relative_error_last", "single_agent_iterations", "excess_bound"};
  if (given().may_miss_rounds) names.emplace_back("multiplier_drift");
  if (learning_) names.insert(names.end(), {"learned_chi", "learned_D", "learned_delta"});
  return names;
}

namespace {

/// || sum_j v_j || / sum_j || v_j ||. The steps (10) of all agents add up to zero, which makes the limit a minimizer;
/// where one of two neighbors misses the other's message theirs do not.
double multiplier_drift(RoundReport report) {
  Vector sum = Vector::Zero(report[0][2].size());  // of the v_j      (n)
  double norms = 0;
  for (const auto& parts : report) {
    sum += parts[2];
    norms += parts[2].norm();
  }
  return norms > 0 ? sum.norm() / norms : 0;
}

}  // namespace

Evaluation FdPrimalDual::evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const {
  const Vector last = joined(report, 0);  // theta^t      (d)
  Vector average = joined(report, 1);     // theta_bar_t  (d)
  const double objective_last = regularizers_.objective(last, given());
  Evaluation evaluation;
  evaluation.objective = regularizers_.objective(average, given());
  evaluation.iterate = std::move(average);
  evaluation.metrics = {objective_last, error_scale.relative_error(objective_last),
                        single_agent_iterations(round, given()),
                        bound_ ? bound_->excess(round, error_scale.optimum) : std::nullopt};
  if (given().may_miss_rounds) evaluation.metrics.emplace_back(multiplier_drift(report));
  if (learning_)
    for (const double value : report[0][2]) evaluation.metrics.emplace_back(value);
  return evaluation;
}

std::optional<Bytes> FdPrimalDual::memory() const {
  const Index n = given().problem.X->rows(), d = given().problem.X->cols(), m = given().network.agents;
  return Bytes{sizeof(double)} * (10 * n * m + 10 * d);
}

}  // namespace lagnet
