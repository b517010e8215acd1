#include "algorithms/local/local_steps.hpp"

#include <fmt/format.h>

#include "algorithms/local/dual_solvers.hpp"
#include "sim/base/diagnostic.hpp"

namespace lagnet {

std::unique_ptr<const LocalSolver> make_local_solver(LocalSolverKind kind, double R, double gamma, double added) {
  if (kind == LocalSolverKind::sdca) return std::make_unique<DualAscent>();
  if (kind == LocalSolverKind::exact) return std::make_unique<ExactAscent>();
  if (!(gamma + added > 0))
    throw Diagnosed("local_solver", "sdca or exact, since the local problem is not strongly concave without eps",
                    "spdc");
  return std::make_unique<Spdc>(R, gamma);
}

std::vector<Index> step_order(StepOrder order, std::optional<std::int64_t> H, Index n_k, Draws draws) {
  std::vector<Index> all(static_cast<std::size_t>(n_k > 0 ? H.value_or(n_k) : 0));
  for (std::size_t h = 0; h < all.size(); ++h)
    all[h] = order == StepOrder::cyclic ? static_cast<Index>(h) % n_k
                                        : static_cast<Index>(draws.below(static_cast<std::uint64_t>(n_k)));
  return all;
}

}  // namespace lagnet
