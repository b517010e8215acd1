#include "algorithms/central/proximal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/central/certificate.hpp"
#include "algorithms/central/primal_dual_point.hpp"
#include "algorithms/central/smooth.hpp"
#include "algorithms/central/solve_centrally.hpp"

namespace lagnet {

namespace {

Optimum certified_by_gap(const Problem& problem, Vector theta) {
  const Vector scores = problem.scores(theta);
  const double n = static_cast<double>(problem.samples);
  const Vector gradient = problem.pulled_back(problem.loss->derivative(scores, problem.y)) / n;
  const auto gap = problem.constraint->linear_gap(theta, gradient);
  const double at_zero = problem.objective_of_scores(Vector::Zero(scores.size()), Vector::Zero(theta.size()));
  Certificate proof{CertificateKind::none, std::numeric_limits<double>::infinity(),
                    "projected gradient, whose set knows no bound on the gap"};
  // A gap below 0 is rounding.
  if (gap)
    proof = {CertificateKind::duality_gap, *gap <= 0 ? 0 : *gap / at_zero,
             "projected gradient, gap of Frank and Wolfe"};
  const double value = problem.objective_of_scores(scores, theta);
  return {std::move(theta), value, std::move(proof)};
}

/// At least value - min F over the set: the gap of Frank and Wolfe with the dual point's q in the place of the
/// gradient, what lam costs, and what rounding does to all of it. For lam = l'(X theta) and any x of the set,
///     F(theta) - F(x) <= (1/samples) sum_i [l(a_i) + l*(lam_i) - a_i lam_i] + (theta - x)'X'lam / samples.
/// Infinite where the set knows no bound.
double proven_gap_in_set(const Problem& problem, const Optimum& found) {
  constexpr double u = unit_roundoff;
  const Vector none;
  const PrimalDualPoint point({problem, found.theta, found.value, none});
  const double n = static_cast<double>(problem.samples), roundings = static_cast<double>(problem.dim()) + 8;
  const Vector q = point.pull().value / n;
  const Vector error = 1.01 * point.pull().error / n + roundings * u * q.cwiseAbs();
  const auto gap = problem.constraint->linear_gap(found.theta, q);
  const auto of_error = problem.constraint->reach(error);
  if (!gap || !of_error) return std::numeric_limits<double>::infinity();
  return std::max(*gap, 0.0) + *of_error + error.dot(found.theta.cwiseAbs()) + point.sum_of_losses() +
         point.rounding_of_value();
}

/// Replaces the gap as computed by a bound.
Optimum proven_in_set(const Problem& problem, Optimum found) {
  if (found.certificate.kind != CertificateKind::duality_gap) return found;
  const Index n = problem.X->rows() * problem.loss->outputs();
  const double at_zero = problem.objective_of_scores(Vector::Zero(n), Vector::Zero(problem.dim()));
  const double gap = proven_gap_in_set(problem, found);
  found.certificate.relative = gap == 0 ? 0 : (1 + 4 * unit_roundoff) * gap / at_zero;
  return found;
}

}  // namespace

Vector proximal_gradient(const Problem& problem, Vector theta, double step, int steps) {
  const double n = static_cast<double>(problem.samples);
  Vector z = theta;  // point of extrapolation (d)
  double momentum = 1;
  for (int t = 0; t < steps; ++t) {
    const Vector lam = problem.loss->derivative(problem.scores(z), problem.y);
    const Vector moved = z - step / n * problem.pulled_back(lam);
    const Vector next =
        problem.constraint ? problem.constraint->project(moved) : problem.regularizer->prox(moved, step);
    const Vector change = next - theta;
    if ((z - next).dot(change) > 0) momentum = 1;  // the momentum points uphill
    const double next_momentum = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    z = next + (momentum - 1) / next_momentum * change;
    momentum = next_momentum;
    theta = next;
    if (change.norm() <= 1e-16 * theta.norm()) break;
  }
  return theta;
}

Optimum solve_constrained(const Problem& problem) {
  const double step = safe_step(problem);
  Optimum best = certified_by_gap(problem, problem.constraint->project(Vector::Zero(problem.dim())));
  Vector theta = best.theta;
  int idle = 0;
  for (int burst = 200; burst <= 51200 && best.certificate.relative > attainable_relative && idle < 3; burst *= 2) {
    theta = proximal_gradient(problem, theta, step, burst);
    Optimum now = certified_by_gap(problem, theta);
    const bool better = now.certificate.relative < best.certificate.relative;
    idle = now.certificate.relative < 0.5 * best.certificate.relative ? 0 : idle + 1;
    // A good certificate that no longer improves is at rounding.
    const bool done = best.certificate.relative <= 1e-11 && idle > 0;
    if (better) best = std::move(now);
    if (done) break;
  }
  best = proven_in_set(problem, std::move(best));
  // Where the set does not matter, the proof without it charges less.
  const bool is_inside = problem.constraint->excess(best.theta) < 0;
  if (best.certified() && !(is_inside && best.certificate.relative > attainable_relative)) return best;
  Problem free = problem;
  free.constraint = nullptr;
  Optimum outside = solve_centrally(free);
  const bool serves = outside.certified() && problem.constraint->excess(outside.theta) <= 0 &&
                      outside.certificate.relative < best.certificate.relative;
  return serves ? outside : best;
}

}  // namespace lagnet
