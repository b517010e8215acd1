#include "algorithms/central/proximal_gradient.hpp"

#include <cmath>

namespace lagnet {

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

}  // namespace lagnet
