#include "algorithms/local/own_minimizers.hpp"

#include <fmt/format.h>

#include <memory>

#include "algorithms/central/solve_centrally.hpp"
#include "sim/base/diagnostic.hpp"

namespace lagnet {

std::vector<Vector> own_minimizers(const Problem& problem, const std::vector<Index>& starts) {
  std::vector<Vector> found;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    Problem own = problem;
    own.samples = starts[i + 1] - starts[i];
    own.X = std::make_shared<const DataMatrix>(problem.X->row_range(starts[i], own.samples));
    own.y = problem.y.segment(starts[i], own.samples);
    const Optimum optimum = solve_centrally(own);
    if (optimum.certificate.kind == CertificateKind::no_minimizer || !optimum.theta.allFinite())
      throw Diagnosed("kind", "samples of which each agent's have a minimizer, as any do with an l2 regularizer",
                      fmt::format("none for those of agent {}", i));
    found.push_back(optimum.theta);
  }
  return found;
}

}  // namespace lagnet
