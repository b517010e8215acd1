#include "algorithms/peers/primal_dual_steps.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "algorithms/objectives/regularizers/regularizers.hpp"

namespace lagnet {

Cost PrimalDualCost::primal(const ColumnBlock& X, Index degree) const {
  const Index d = X.cols();
  Cost work(X.transpose_times_flops() + 2 * d + 3 * d);  // product; scale and subtract; prox (9)
  Index vectors = n + 3 * d;                             // lambda
  if (degree > 0) {
    // degree lambda - sum; scale; subtract from v (10): n (deg + 3).
    work.flops += n * (degree + 1) + n + n + (is_weighted ? degree * n : 0);
    vectors += n * ((degree + 1) + 5);  // the neighbors' vectors and their sum; lambda, sum, v twice, w
  }
  work.bytes = X.bytes() + vectors * Bytes{sizeof(double)};
  return work;
}

Cost PrimalDualCost::dual(const ColumnBlock& X, Index degree) const {
  const Index d = X.cols();
  // 2 theta^+ - theta is charged one an entry. The labels' prox (12) and the average are not charged, as in the paper's
  // count. Product; scale; add to lambda (13).
  Cost work(d + X.add_times_flops() + 2 * n);
  Index vectors = n * (2 + 3) + 3 * d;  // ascent twice for X e; ascent, lambda twice
  if (degree > 0) {
    // w = v^+ - g; degree w - sum; plus X e, to which a single agent adds nothing (11): n (2 d + deg + 4) + d.
    work.flops += n + n * (degree + 1) + (is_weighted ? degree * n : 0) + (is_scaled ? n : 0);
    vectors += n * ((degree + 1) + 3);  // the neighbors' vectors and their sum; w, sum, ascent
  } else {
    work.flops -= n;
  }
  work.bytes = X.bytes() + vectors * Bytes{sizeof(double)};
  return work;
}

double single_agent_iterations(Round round, const MethodInput& given) {
  const double n = static_cast<double>(given.problem.samples), d = static_cast<double>(given.problem.X->cols());
  const double share = d / static_cast<double>(given.network.agents);
  const double degree = static_cast<double>(given.network.max_degree);
  const double single = n * (4 * d + 1) + 5 * d;
  const double agent = given.network.agents == 1 ? single : n * (4 * share + 2 * degree + 7) + 5 * share;
  return static_cast<double>(round) * agent / single;
}

OwnRegularizers::OwnRegularizers(const std::vector<double>& l1_weights, const std::vector<double>& l2_weights,
                                 const MethodInput& given)
    : shared_(given.problem.regularizer) {
  if (l1_weights.empty() && l2_weights.empty()) return;
  const Index agents = given.network.agents;
  const auto check = [&](const char* key, const std::vector<double>& weights) {
    if (!weights.empty() && std::ssize(weights) != agents)
      throw Diagnosed(key, fmt::format("{} numbers, one for each agent", agents), fmt::format("{}", weights.size()));
  };
  check("l1_weights", l1_weights);
  check("l2_weights", l2_weights);
  if (shared_->l1_weight() != 0.0 || shared_->l2_weight() != 0.0)
    throw Diagnosed(l1_weights.empty() ? "l2_weights" : "l1_weights",
                    "an empty list, or a problem without a regularizer", "a problem that has one");
  const auto of = [](const std::vector<double>& weights, std::size_t j) { return weights.empty() ? 0.0 : weights[j]; };
  for (std::size_t j = 0; j < static_cast<std::size_t>(agents); ++j)
    own_.push_back(make_regularizer(ElasticNetOptions{.l1_weight = of(l1_weights, j), .l2_weight = of(l2_weights, j)}));
}

double OwnRegularizers::objective(const Vector& theta, const MethodInput& given) const {
  double value = given.problem.objective(theta);
  for (std::size_t j = 0; j < own_.size(); ++j) {
    const Index first = given.feature_starts[j];
    value += own_[j]->value(theta.segment(first, given.feature_starts[j + 1] - first));
  }
  return value;
}

PrimalDualSteps theorem1_steps(double n, double agents, double rho, double R, double chi, double D, double delta) {
  const double A = std::sqrt(1 + 2 * chi * chi / (delta * delta));
  const double sigma = std::sqrt(agents) * n * std::sqrt(n) * rho / ((chi + D) * R * A);
  return {.sigma = sigma, .tau = n * n / ((chi + D) * (chi + D) * sigma)};
}

double theorem1_network_factor(double agents, double chi, double D, double delta) {
  return (chi + D) * std::sqrt(agents) * std::sqrt(1 + 2 * chi * chi / (delta * delta));
}

double theorem1_edge_scale(double chi, double D, double delta) { return chi * std::cbrt(2 / (delta * delta * D)); }

double sqrt_lipschitz_factor(double optimum) { return std::sqrt(2 * optimum); }

std::optional<double> Theorem1Bound::excess(Round T, std::optional<double> optimum) const {
  const double of_start = c * f / static_cast<double>(T), of_loss = c / (f * static_cast<double>(T));
  if (is_lipschitz && T > 0) return of_start + of_loss;  // (15)
  if (!optimum || !(2 * of_loss <= 1)) return std::nullopt;
  return (1 + 2 * of_loss) * (*optimum + of_start) - *optimum;  // (16)
}

namespace {

/// Throws Diagnosed where the loss or its optimum does not allow these steps.
double factor_for_sqrt_lipschitz(const MethodInput& given, bool own_regularizers) {
  const auto refuse = [](const std::string& expected, const std::string& found) {
    throw Diagnosed("tuned_for", expected, found);
  };
  if (!given.problem.loss->sqrt_lipschitz())
    refuse("a loss whose square root is Lipschitz, or lipschitz", "another loss");
  if (own_regularizers) refuse("the problem's regularizer, or lipschitz", "agents with regularizers of their own");
  const Optimum& optimum = given.central->optimum();
  if (!optimum.certified() || !(optimum.value > 0))
    refuse("a certified optimum above 0, or lipschitz", optimum.certified() ? "0" : "none");
  return sqrt_lipschitz_factor(optimum.value);
}

}  // namespace

PrimalDualRule::PrimalDualRule(const StatedSteps& stated, const MethodInput& given, bool own_regularizers)
    : n_(static_cast<double>(given.problem.samples)),
      agents_(static_cast<double>(given.network.agents)),
      R_(stated.R),
      topology_changes_(given.network.changes) {
  const NetworkFacts& network = given.network;
  const bool alone = network.agents == 1;
  D_ = alone ? 0 : stated.D.value_or(network.laplacian_max);
  delta_ = alone ? std::numeric_limits<double>::infinity() : stated.delta.value_or(network.algebraic_connectivity);
  chi_ = stated.chi ? *stated.chi : given.central->data_norm();
  if (!alone) edge_scale_ = stated.edge_scale ? *stated.edge_scale : theorem1_edge_scale(chi_, D_, delta_);
  D_ *= edge_scale_;
  delta_ *= edge_scale_;
  if (stated.sigma) {
    steps_ = {.sigma = *stated.sigma, .tau = stated.tau.value()};
    return;
  }
  if (!R_) R_ = norm_of_minimizer(given, own_regularizers);
  const Loss& l = *given.problem.loss;
  const bool is_lipschitz = l.lipschitz() && stated.tuned_for == TunedFor::lipschitz;
  const double f = stated.tuned_for == TunedFor::lipschitz ? 1 : factor_for_sqrt_lipschitz(given, own_regularizers);
  const double rho = (is_lipschitz ? l.lipschitz() : l.sqrt_lipschitz()).value();
  const std::string need = "R above 0, or sigma and tau: the steps of Theorem 1 are not finite";
  if (!(*R_ > 0)) throw Diagnosed("R", need, "a minimizer that is 0");
  if (!(chi_ > 0)) throw Diagnosed("chi", "chi above 0, or sigma and tau", "data that are all 0");
  steps_ = theorem1_steps(n_, agents_, rho, *R_, chi_, D_, delta_);
  steps_ = {.sigma = f * steps_.sigma, .tau = steps_.tau / f};
  if (!topology_changes_)
    bound_ = {.c = theorem1_network_factor(agents_, chi_, D_, delta_) * *R_ * rho / std::sqrt(n_),
              .is_lipschitz = is_lipschitz,
              .f = f};
  if (!(std::isfinite(steps_.sigma) && std::isfinite(steps_.tau) && steps_.sigma > 0 && steps_.tau > 0))
    throw Diagnosed("R", need, fmt::format("sigma {} and tau {}", steps_.sigma, steps_.tau));
}

double PrimalDualRule::norm_of_minimizer(const MethodInput& given, bool own_regularizers) {
  const std::string need = "a bound on the norm of a minimizer, or sigma and tau";
  if (own_regularizers) throw Diagnosed("R", need, "none, and agents with regularizers of their own");
  const Optimum& optimum = given.central->optimum();
  if (!optimum.certified()) throw Diagnosed("R", need, "no certified optimum to take it from");
  return optimum.theta.norm();
}

std::vector<Constant> PrimalDualRule::constants() const {
  std::vector<Constant> values{
      {"sigma", steps_.sigma}, {"tau", steps_.tau}, {"chi", chi_}, {"D", D_}, {"delta", delta_}};
  values.emplace_back("network_factor", theorem1_network_factor(agents_, chi_, D_, delta_));
  if (R_) values.emplace_back("R", *R_);
  if (edge_scale_ != 1) values.emplace_back("edge_scale", edge_scale_);
  return values;
}

Remarks PrimalDualRule::warnings() const {
  const double product = steps_.tau * steps_.sigma * (chi_ + D_) * (chi_ + D_) / (n_ * n_);
  Remarks all;
  if (product > 1 + 1e-12)
    all.push_back(
        {"steps_too_long",
         {{"product", product}},
         fmt::format("tau sigma (chi + D)^2 / n^2 is {:.6g}, above 1: convergence is not guaranteed", product)});
  if (topology_changes_)
    all.push_back(
        {"topology_changes",
         {},
         "the topology changes: Theorem 1 and its steps assume one graph, and the multipliers would settle differently "
         "on each, so that the error may level off or grow; D and delta are those of all edges together"});
  return all;
}

}  // namespace lagnet
