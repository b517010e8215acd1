#include "algorithms/peers/accel_tracking.hpp"

#include <utility>

#include "algorithms/objectives/regularizers/regularizers.hpp"

namespace lagnet {

AccelTracking::AccelTracking(const AccelTrackingOptions& options, MethodInput input)
    : TrackingMethod(options, std::move(input)) {
  const Regularizer& r = *given().problem.regularizer;
  if (options.lyapunov && (r.l1_weight() != 0.0 || r.l2_weight() != 0.0))
    throw Diagnosed("lyapunov", "false with a regularizer", "true");
}

// The sheet counts 4 n d + 13 d + 2 K (2 deg + 1) d + P flops a round, of which 3 d are for (23a), 2 d for the tracked
// difference, 5 d for the argument of P and 3 d for (23e).
Task<> AccelTracking::run(Agent& me) const {
  const AgentId i = me.id();
  const double alpha = steps_.alpha, beta = steps_.beta;
  StateVector theta = me.vector(d());  // the iterate                              (d)
  StateVector v = theta;               // its accelerated companion                (d)
  StateVector w = theta;               // where the gradient is wanted             (d)
  StateVector z = theta;               // the same, mixed                          (d)
  StateVector g = theta;               // the last gradient of f_i                 (d)
  StateVector y = theta;               // tracks the mean of all agents' gradients (d)
  // The first y is the mixed first gradient whatever y = g stood before it: zeros save a gradient.

  auto extrapolate = [&] { z = w = (theta + beta * v) / (1 + beta); };  // (23a)
  auto track = [&] {
    const Vector h = gradient(i, z);
    y += h - g;
    g = h;
  };
  auto descend = [&] {
    v = (1 - beta) * v + beta * z - y / (alpha * beta);
    v = P_(v, 1 / (alpha * beta));          // (23d)
    theta = beta * v + (1 - beta) * theta;  // (23e)
  };

  const auto report = [&](Round t) {
    if (options().lyapunov)
      me.report(t, theta, v);
    else
      me.report(t, theta);
  };

  report(0);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(vector_work(3, 3), extrapolate);
    co_await mix(me, z);  // (23b)
    co_await me.compute(gradient_work(i) + vector_work(2, 4), track);
    co_await mix(me, y);  // (23c)
    co_await me.compute(prox_work(8, 7), descend);
    report(t);
  }
}

std::vector<Vector> AccelTracking::first_report(AgentId agent) const {
  std::vector<Vector> parts = TrackingMethod::first_report(agent);
  if (options().lyapunov) parts.push_back(parts.front());
  return parts;
}

std::vector<std::string> AccelTracking::metric_names() const {
  std::vector<std::string> names = TrackingMethod::metric_names();
  if (options().lyapunov) names.emplace_back("lyapunov");
  return names;
}

Evaluation AccelTracking::evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const {
  Evaluation evaluation = TrackingMethod::evaluate(round, report, error_scale);
  if (options().lyapunov)
    evaluation.metrics.push_back(error_scale.minimizer ? std::optional(lyapunov(report, *error_scale.minimizer))
                                                       : std::nullopt);
  return evaluation;
}

double AccelTracking::lyapunov(RoundReport report, const Vector& minimizer) const {
  const Index m = std::ssize(report);
  const double factor = steps_.beta * steps_.beta * steps_.alpha / (2 * static_cast<double>(m));
  Matrix theta(m, d()), v(m, d());
  for (Index i = 0; i < m; ++i) {
    const auto& parts = report[static_cast<std::size_t>(i)];
    theta.row(i) = parts[0].transpose();
    v.row(i) = parts[1].transpose();
  }
  const Matrix mixed = mixing_.mixed(theta);  // W theta
  const Loss& l = *given().problem.loss;
  double above = 0;  // F(W theta) - F(W minimizer), and W minimizer = minimizer
  for (AgentId i = 0; i < m; ++i) {
    const auto loss = [&](const Vector& at) { return samples(i).loss(l, at); };
    above += weight(i) * (loss(mixed.row(i)) - loss(minimizer)) / static_cast<double>(samples(i).rows());
  }
  return above / static_cast<double>(m) +
         factor * (theta.squaredNorm() - mixed.squaredNorm() + (v.rowwise() - minimizer.transpose()).squaredNorm());
}

std::vector<Constant> AccelTracking::constants() const {
  if (given().timing_only) return {{"K", static_cast<double>(mixing_.rounds())}};
  return TrackingMethod::constants();
}

}  // namespace lagnet
