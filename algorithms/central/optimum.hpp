#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "algorithms/problem/problem.hpp"
#include "sim/base/array.hpp"

namespace lagnet {

/// What the number `relative` of a certificate means.
enum class CertificateKind {
  duality_gap,   // F(theta) - F* <= relative * F(0)
  kkt_residual,  // the smallest subgradient of F at theta has norm relative * |X|_F |l'(0, y)| / samples, the largest
                 // gradient that data of these sizes can have at 0
  no_minimizer,  // F has no minimizer (logistic loss, separable data); relative is infinite
  none           // nothing is known; relative is infinite
};
/// As in files: "duality_gap".
std::string_view name_of(CertificateKind kind);

/// A bound on how far a point is from optimal, computed from the point itself and not taken from the solver.
struct Certificate {
  CertificateKind kind = CertificateKind::none;
  double relative = std::numeric_limits<double>::infinity();
  std::string method;  // how theta was found, for people
};

struct Optimum {
  Vector theta;  // (d)
  double value;  // F(theta)
  Certificate certificate;

  /// Whether the value may serve as F*: the certificate is at most 1e-10.
  bool certified() const { return certificate.relative <= 1e-10; }
};

/// A minimizer of F by a method that suits loss and regularizer: closed form for least squares, Newton's method for the
/// other smooth losses, proximal gradient steps and Newton's method on the support with an l1 norm, an interior point
/// method for the absolute and the hinge loss, proximal gradient steps for the softmax loss and for norms other than
/// l1, projected gradient steps under a constraint. Where minimizers are many and nothing is regularized, least squares
/// and the logistic loss give the one of least norm; the others give one without a component in the null space of X.
/// Expects problem.diagnostics() to be empty. If the accuracy of 1e-10 cannot be reached, the best point found is
/// returned with its honest certificate, and the caller decides.
Optimum solve_centrally(const Problem& problem);

}  // namespace lagnet
