#pragma once

#include <optional>
#include <vector>

#include "topologies/topology.hpp"

namespace lagnet {

/// The extreme eigenvalues of the Laplacian that step sizes and rates depend on.
struct Spectrum {
  double laplacian_max = 0;           // the largest
  double algebraic_connectivity = 0;  // the second smallest: 0 if disconnected, infinite for one agent
};

enum class EigenMethod {
  automatic,  // dense up to 512 agents
  dense,      // all eigenvalues by Eigen: O(m^3) time, O(m^2) memory
  sparse      // Lanczos by Spectra, with a sparse factorization where Lanczos is slow; from 3 agents on
};

/// Relative accuracy about 1e-9 as long as algebraic_connectivity / laplacian_max is above 1e-6. Deterministic: Lanczos
/// starts from fixed numbers.
Spectrum spectrum(const Topology& topology, EigenMethod method = EigenMethod::automatic);

/// All eigenvalues of the Laplacian, ascending (m), by Eigen in O(m^3); nothing for more than 2,000 agents.
std::optional<std::vector<double>> laplacian_eigenvalues(const Topology& topology);

}  // namespace lagnet
