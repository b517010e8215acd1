#include "algorithms/central/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/central/column_factors.hpp"
#include "algorithms/central/duality_proof.hpp"
#include "algorithms/objectives/scaled_norm.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {
namespace {

/// The subgradient of least norm of f + a |.|_1 + (b/2) |.|^2, where g is the gradient of f.
Vector smallest_subgradient(const Vector& g, VectorRef theta, double a, double b) {
  Vector result = g + b * theta;
  if (a == 0) return result;
  for (Index j = 0; j < result.size(); ++j) {
    if (theta[j] != 0) {
      result[j] += theta[j] > 0 ? a : -a;
    } else {
      result[j] = std::copysign(std::max(std::abs(result[j]) - a, 0.0), result[j]);
    }
  }
  return result;
}

}  // namespace

double kkt_residual(const Problem& problem, VectorRef theta, VectorRef scores) {
  const double n = static_cast<double>(problem.samples);
  const Vector g = problem.pulled_back(problem.loss->derivative(scores, problem.y)) / n;
  const auto a = problem.regularizer->l1_weight(), b = problem.regularizer->l2_weight();
  const Vector factors = a && b ? column_factors(*problem.X) : Vector::Ones(problem.X->cols());
  const Vector of_entries = factors.transpose().replicate(problem.loss->outputs(), 1).reshaped();
  const double residual = a && b ? smallest_subgradient(g, theta, *a, *b).cwiseProduct(of_entries).norm()
                                 : (theta - problem.regularizer->prox(theta - g, 1.0)).norm();
  const double at_zero = problem.loss->derivative(Vector::Zero(scores.size()), problem.y).norm();
  const double scale = scaled_size(*problem.X, factors) * at_zero / n;
  return residual == 0 ? 0 : residual / scale;
}

double duality_gap(const Problem& problem, VectorRef theta, VectorRef scores, VectorRef lam) {
  const double n = static_cast<double>(problem.samples);
  const double primal = problem.objective_of_scores(scores, theta);
  const double at_zero = problem.objective_of_scores(Vector::Zero(scores.size()), Vector::Zero(theta.size()));
  const Vector q = problem.pulled_back(lam) / -n;
  const ScaledNorm* const norm = problem.regularizer->as_norm();
  const double a = norm ? norm->weight() : problem.regularizer->l1_weight().value();
  const double b = norm ? 0 : problem.regularizer->l2_weight().value();
  const auto gap_at = [&](double scale) {
    const double conjugate = a == 0 && b == 0 ? theta.norm() * q.norm() : problem.regularizer->conjugate(scale * q);
    return primal + problem.loss->total_conjugate(scale * lam, problem.y) / n + conjugate;
  };
  double gap = gap_at(1);
  const double largest = norm ? norm->dual_norm(q) : q.lpNorm<Eigen::Infinity>();
  // Shrunk by what rounding may be, so that it cannot leave the ball of radius a: a few units in the last place, more
  // of singular values.
  const double slack = problem.regularizer->l1_weight() ? 4 * std::numeric_limits<double>::epsilon() : 1e-13;
  if (a > 0 && largest > a) gap = std::min(gap, gap_at(a / largest * (1 - slack)));
  // A gap below 0 is rounding.
  return gap <= 0 ? 0 : gap / at_zero;
}

Optimum certify_smooth(const Problem& problem, const Vector& theta, const std::string& method) {
  LAGNET_CHECK(problem.loss->smoothness(), "no gradient at the kinks of the loss {}", problem.loss->kind());
  const Vector scores = problem.scores(theta);
  Optimum optimum{theta, problem.objective_of_scores(scores, theta), {CertificateKind::kkt_residual, 0, method}};
  optimum.certificate.relative = kkt_residual(problem, theta, scores);
  const auto a = problem.regularizer->l1_weight(), b = problem.regularizer->l2_weight();
  const ScaledNorm* const norm = problem.regularizer->as_norm();
  const bool has_conjugates = problem.loss->has_conjugate() && problem.regularizer->has_conjugate();
  if (!has_conjugates || (norm ? norm->weight() == 0 : !a || !b || (*a == 0 && *b == 0))) return optimum;
  const double gap = duality_gap(problem, theta, scores, problem.loss->derivative(scores, problem.y));
  if (gap <= 1e-10 || optimum.certificate.relative > 1e-10) {
    optimum.certificate.kind = CertificateKind::duality_gap;
    optimum.certificate.relative = gap;
  }
  return optimum;
}

Optimum proven(const Problem& problem, Optimum found, const Vector& lam) {
  if (found.certificate.kind == CertificateKind::no_minimizer) return found;
  const double at_zero = problem.objective(Vector::Zero(problem.dim()));
  const double gap = proven_gap({problem, found.theta, found.value, lam});
  const double relative = gap == 0 ? 0 : gap / at_zero * (1 + 1e-15);
  // That F* is not negative bounds the value, too, but says little unless it is small.
  const bool is_known = relative <= 1e-10 || gap < found.value;
  if (is_known) {
    found.certificate.kind = CertificateKind::duality_gap;
    found.certificate.relative = relative;
    return found;
  }
  const bool has_weights = problem.regularizer->as_norm() || problem.regularizer->l1_weight();
  if (!problem.loss->has_conjugate() || !has_weights) {
    found.certificate.method += fmt::format("; no duality gap, since the {} has no conjugate",
                                            problem.loss->has_conjugate() ? "regularizer" : "loss");
    return found;
  }
  found.certificate = {
      CertificateKind::none, std::numeric_limits<double>::infinity(),
      found.certificate.method + "; no bound: columns of X depend on others up to rounding, or no minimizer exists"};
  return found;
}

}  // namespace lagnet
