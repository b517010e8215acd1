#include "algorithms/central/optimum.hpp"

#include <array>

namespace lagnet {

std::string_view name_of(CertificateKind kind) {
  constexpr std::array names{"duality_gap", "kkt_residual", "no_minimizer", "none"};
  return names.at(static_cast<std::size_t>(kind));
}

}  // namespace lagnet
