#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algorithms/local/local_problem.hpp"
#include "sim/base/draws.hpp"
#include "sim/base/options.hpp"

/// Which local solver, how many steps it takes, and on which samples: options that methods with local problems share.
namespace lagnet {

enum class LocalSolverKind { spdc, sdca, exact };
constexpr auto spellings(LocalSolverKind) {
  return std::array{Spelling{LocalSolverKind::spdc, "spdc"}, Spelling{LocalSolverKind::sdca, "sdca"},
                    Spelling{LocalSolverKind::exact, "exact"}};
}

enum class StepOrder { uniform, cyclic };
constexpr auto spellings(StepOrder) {
  return std::array{Spelling{StepOrder::uniform, "uniform"}, Spelling{StepOrder::cyclic, "cyclic"}};
}

void declare_local_solver(auto& self, auto& field) {
  field(
      "local_solver", self.local_solver,
      "spdc (stochastic primal-dual coordinate method), sdca (dual coordinate ascent) or exact (the same until nothing "
      "changes any more)");
  field("local_steps", self.local_steps,
        "H, steps of a client in a round; null: as many as it has samples; ignored with local_solver exact",
        at_least(0));
  field("order", self.order,
        "samples of the steps: uniform (drawn with replacement) or cyclic (0, 1, 2, .. anew in each round)");
}

/// A solver of this kind; `R` and `gamma` as for Spdc. Throws Diagnosed for "local_solver" where gamma and
/// `added`, the least of eps and rho that a local problem has, leave none of the strong convexity that spdc needs.
std::unique_ptr<const LocalSolver> make_local_solver(LocalSolverKind kind, double R, double gamma, double added);

/// The purpose of the draws that choose the samples of an agent's steps in a round.
constexpr Purpose local_step_purpose{"local_step"};
/// The samples of a client's steps in a round, out of n_k; none where it has none.
std::vector<Index> step_order(StepOrder order, std::optional<std::int64_t> H, Index n_k, Draws draws);

}  // namespace lagnet
