#include "sim/numerics/lanczos.hpp"

#include <Spectra/SymEigsSolver.h>

#include <algorithm>
#include <stdexcept>

namespace lagnet {

std::optional<Eigenpair> largest_eigenpair(SymmetricOperator& A, const Vector& start, const LanczosOptions& options) {
  Spectra::SymEigsSolver<SymmetricOperator> solver(A, 1, std::min(options.vectors, A.rows()));
  try {
    solver.init(start.data());
    solver.compute(Spectra::SortRule::LargestAlge, options.restarts, options.tolerance);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
  if (solver.info() != Spectra::CompInfo::Successful) return std::nullopt;
  return Eigenpair{solver.eigenvalues()[0], solver.eigenvectors().col(0)};
}

}  // namespace lagnet
