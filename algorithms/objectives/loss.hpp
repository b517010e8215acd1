#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/array.hpp"

/// Losses l(a, y) of one score a = x' theta and one label y, convex in a, never negative; or of c scores a = W' x, one
/// for each class, of a sample.
/// Formulas: Ancelin, Bahmani, Romberg, "Decentralized Feature-Distributed Optimization for Generalized Linear Models"
/// (2021), section II; conjugates are in the score, l*(lam; y) = sup_a lam a - l(a, y).
namespace lagnet {

class Loss {
 public:
  virtual ~Loss() = default;

  /// The name in files: "squared", "logistic", ...
  virtual std::string_view kind() const = 0;

  /// Scores of a sample: 1, or one for each of c classes. With c of them theta is a d x c matrix W row by row, the
  /// forms over samples take a, lam (n c), one sample after the other, and the forms of one score are an internal
  /// error.
  virtual Index outputs() const { return 1; }

  virtual double value(double a, double y) const = 0;
  /// dl/da; where l has a kink, a subgradient.
  virtual double derivative(double a, double y) const = 0;
  /// d2l/da2; where l' has a kink, an element of its generalized derivative; 0 for a piecewise linear loss.
  virtual double curvature(double a, double y) const = 0;
  /// l*(lam; y), +infinity outside its domain.
  virtual double conjugate(double lam, double y) const = 0;
  /// argmin over lam of c l*(lam; y) + (lam - u)^2 / 2, for c > 0.
  virtual double prox_conjugate(double u, double y, double c) const = 0;
  /// One exact coordinate step of dual ascent in alpha = -lam: argmax over a of -l*(-a; y) - a p - (q/2) (a - alpha)^2,
  /// for q > 0 (Shalev-Shwartz, Zhang, "Stochastic Dual Coordinate Ascent Methods for Regularized Loss Minimization",
  /// JMLR 14, 2013). Losses for which p / q would lose digits have a form of their own, which q = 0 may be given to:
  /// hinge, smoothed hinge, logistic, squared.
  virtual double dual_step(double alpha, double p, double y, double q) const {
    return -prox_conjugate(p / q - alpha, y, 1 / q);
  }

  // The same over samples: a, lam (n), or (n c), and y (n).
  virtual double total(VectorRef a, VectorRef y) const = 0;              // sum of l(a_i, y_i)
  virtual double total_conjugate(VectorRef lam, VectorRef y) const = 0;  // sum of l*(lam_i; y_i)
  virtual Vector derivative(VectorRef a, VectorRef y) const = 0;
  virtual Vector curvature(VectorRef a, VectorRef y) const = 0;
  virtual void prox_conjugate(Eigen::Ref<Vector> lam, VectorRef y, double c) const = 0;  // in place

  /// rho with |l'(a, y)| <= rho for all a; none if no such number exists.
  virtual std::optional<double> lipschitz() const { return std::nullopt; }
  /// rho with |l'(a, y)| <= rho sqrt(l(a, y)) for all a.
  virtual std::optional<double> sqrt_lipschitz() const { return std::nullopt; }
  /// The Lipschitz constant of l' in a, in Euclidean norms; none if l has kinks.
  virtual std::optional<double> smoothness() const { return std::nullopt; }

  /// Whether it may have a smoothness() all the same, which it does not state; else it has kinks.
  virtual bool may_be_smooth() const { return false; }
  // Which of the functions above there are. The others are never asked for: an internal error.
  virtual bool has_curvature() const { return true; }
  virtual bool has_conjugate() const { return true; }  // and with it its prox and the dual step
  /// Whether curvature() is the second derivative everywhere: of a piecewise quadratic loss it is not.
  virtual bool has_second_derivative() const { return has_curvature(); }
  /// Whether a call takes long whatever its size, so that one over all samples is better than one for each.
  virtual bool prefers_samples_at_once() const { return false; }

  /// Whether it is (a - y)^2 / 2, whose minimizers solve linear equations.
  virtual bool is_squared() const { return false; }
  /// Whether the infimum of the loss is attained for any data: false for a loss that decreases forever.
  virtual bool attains_infimum() const { return true; }
  /// For a loss that is piecewise linear with one kink: its slopes below and above it.
  struct Slopes {
    double below, above;
  };
  virtual std::optional<Slopes> slopes(double /*y*/) const { return std::nullopt; }

  /// The expected labels ("-1 or +1") if the finite number y is not one of them; otherwise nothing.
  virtual std::optional<std::string> label_problem(double /*y*/) const { return std::nullopt; }
};

}  // namespace lagnet
