#include "algorithms/central/smooth.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "algorithms/central/certificate.hpp"
#include "algorithms/central/column_factors.hpp"
#include "algorithms/central/gram.hpp"
#include "algorithms/central/least_squares.hpp"
#include "algorithms/central/newton.hpp"
#include "algorithms/central/proximal.hpp"

namespace lagnet {

double safe_step(const Problem& problem) {
  const double norm = spectral_norm(*problem.X) * (1 + 1e-10);
  const double curvature = problem.loss->smoothness().value() * norm * norm / static_cast<double>(problem.samples);
  return curvature > 0 ? 1 / curvature : 1;
}

namespace {

constexpr double most_flops = 3e11;  // patience with plain proximal gradients: a few minutes

std::vector<Index> support_of(const Vector& theta) {
  std::vector<Index> support;
  for (Index j = 0; j < theta.size(); ++j) {
    if (theta[j] != 0) support.push_back(j);
  }
  return support;
}

/// Newton's method on the support of theta, and on what is left of it whenever coordinates become 0.
Vector polish(const Problem& problem, Vector theta) {
  for (;;) {
    const std::vector<Index> support = support_of(theta);
    const Index size = static_cast<Index>(support.size());
    // Without an l2 norm some minimizer has at most as many coordinates as there are rows: a larger support is
    // premature.
    if (size == 0 || (size > problem.X->rows() && problem.regularizer->l2_weight() == 0.0)) return theta;
    const DataMatrix chosen = problem.X->columns(support);
    Vector phi(size);
    for (Index k = 0; k < phi.size(); ++k) phi[k] = theta[support[static_cast<std::size_t>(k)]];
    const FaceProblem face{chosen,
                           problem.y,
                           static_cast<double>(problem.samples),
                           *problem.loss,
                           problem.regularizer->l1_weight().value(),
                           problem.regularizer->l2_weight().value()};
    const FaceResult result = minimize_on_face(face, phi, 100);
    for (Index k = 0; k < phi.size(); ++k) theta[support[static_cast<std::size_t>(k)]] = result.phi[k];
    if (!result.met_zero) return theta;
  }
}

/// Proximal gradient steps, in scaled coefficients where columns have factors.
class Steps {
 public:
  explicit Steps(const Problem& problem) : given_(problem) {
    if (problem.regularizer->l1_weight()) {
      const Vector factors = column_factors(*problem.X);
      if ((factors.array() != 1).any()) {
        factors_ = factors_of_entries(problem, factors);
        scaled_ = with_scaled_columns(problem, factors);
      }
    }
    step_ = safe_step(scaled_ ? *scaled_ : given_);
  }
  Vector from(const Vector& theta, int count) const {
    if (!scaled_) return proximal_gradient(given_, theta, step_, count);
    return proximal_gradient(*scaled_, theta.cwiseQuotient(factors_), step_, count).cwiseProduct(factors_);
  }

 private:
  const Problem& given_;
  std::optional<Problem> scaled_;
  Vector factors_;
  double step_;
};

Optimum solve_with_l1(const Problem& problem) {
  const Steps steps(problem);
  const std::string method = "proximal gradient and Newton's method on the support";
  Optimum best = certify_smooth(problem, Vector::Zero(problem.X->cols()), method);
  Vector theta = best.theta;
  int burst = 200, idle = 0;
  while (best.certificate.relative > attainable_relative && idle < 6) {
    theta = polish(problem, steps.from(theta, burst));
    const Optimum now = certify_smooth(problem, theta, method);
    idle = now.certificate.relative < 0.5 * best.certificate.relative ? 0 : idle + 1;
    if (now.certificate.relative < best.certificate.relative) best = now;
    // A good certificate that no longer improves is at rounding; a bad one deserves longer bursts.
    if (best.certificate.relative <= 1e-11 && idle >= 2) break;
    burst = std::min(burst * 2, 20000);
  }
  return best;
}

}  // namespace

Optimum solve_smooth(const Problem& problem) {
  if (problem.regularizer->l1_weight().value() > 0) return solve_with_l1(problem);
  const double l2 = problem.regularizer->l2_weight().value();
  const FaceProblem face{*problem.X, problem.y, static_cast<double>(problem.samples), *problem.loss, 0, l2};
  const FaceResult result = minimize_on_face(face, Vector::Zero(problem.X->cols()), 300);
  Optimum optimum = certify_smooth(problem, result.phi, "Newton's method");
  if (result.no_minimizer) {
    optimum.certificate = {CertificateKind::no_minimizer, std::numeric_limits<double>::infinity(),
                           "none: a direction separates the labels, along which the objective falls for ever"};
    return optimum;
  }
  if (l2 > 0) return optimum;
  const Optimum shorter = certify_smooth(problem, without_null_space(*problem.X, result.phi), "Newton's method");
  return shorter.certificate.relative <= std::max(1e-13, optimum.certificate.relative) ? shorter : optimum;
}

Optimum solve_by_proximal_gradient(const Problem& problem) {
  const Steps bursts(problem);
  const double flops = 4.0 * static_cast<double>(problem.X->nonzeros() * problem.loss->outputs()) +
                       static_cast<double>(problem.regularizer->prox_flops(problem.dim()));
  double left = most_flops / flops;  // steps
  const std::string method = "proximal gradient";
  const auto residual_of = [&](const Vector& theta) { return kkt_residual(problem, theta, problem.scores(theta)); };
  Vector theta = Vector::Zero(problem.dim());
  double residual = residual_of(theta);
  int idle = 0;
  // The duality gap is quadratic in the error of theta, the residual linear: it goes on to fall when the gap is at
  // rounding.
  for (int steps = 1000; residual > 1e-16 && left >= 1 && idle < 6; steps = std::min(2 * steps, 64000)) {
    const int allowed = static_cast<int>(std::min(static_cast<double>(steps), left));
    const Vector next = bursts.from(theta, allowed);
    const double now = residual_of(next);
    left -= allowed;
    idle = now < 0.5 * residual ? 0 : idle + 1;
    if (now < residual) theta = next, residual = now;
    if (residual <= 1e-13 && idle >= 1) break;  // it is at rounding
  }
  return certify_smooth(problem, theta, method);
}

}  // namespace lagnet
