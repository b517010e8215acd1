#include "algorithms/central/optimum.hpp"

#include <algorithm>
#include <array>

namespace lagnet {

std::string_view name_of(CertificateKind kind) {
  constexpr std::array names{"duality_gap", "kkt_residual", "no_minimizer", "none"};
  return names.at(static_cast<std::size_t>(kind));
}

double Optimum::smallest_error(double initial) const {
  constexpr double rounding = 1e-16;
  if (certificate.kind != CertificateKind::duality_gap || !(initial > value)) return rounding;
  return std::max(rounding, certificate.relative * initial / (initial - value));
}

}  // namespace lagnet
