#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "sim/base/array.hpp"

namespace lagnet {

/// The meaning of the number `relative` of a certificate.
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

  /// The smallest relative error (F - F*) / (F(0) - F*) that can be distinguished from 0, for a problem with this F(0):
  /// the duality gap, and at least 1e-16 for rounding.
  double smallest_error(double initial) const;
  /// Whether the value may serve as F*: the certificate is at most 1e-10.
  bool certified() const { return certificate.relative <= 1e-10; }
};

}  // namespace lagnet
