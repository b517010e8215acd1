#pragma once

#include <memory>
#include <string_view>

#include "algorithms/interface/algorithm_traits.hpp"
#include "algorithms/problem/problem.hpp"

namespace lagnet {

/// Keeps iterates where a problem wants them: u -> argmin over x of step r(x) + |x - u|_2^2 / 2 for a regularizer r, or
/// the projection on a constraint.
class ProximalMap {
 public:
  /// Throws Diagnosed, in the name of an algorithm of that kind, for a problem with both.
  ProximalMap(const Problem& problem, std::string_view kind);

  Vector operator()(VectorRef u, double step) const;  // (d) -> (d)
  bool is_identity() const { return !regularizer_ && !constraint_; }
  /// P: what the constraint or the regularizer says, 0 for neither.
  Flops flops(Index d) const;

 private:
  std::shared_ptr<const Regularizer> regularizer_;  // null: none
  std::shared_ptr<const Constraint> constraint_;    // null: none
};

/// The part of the regularizer in every f_i, by an algorithm's traits: all of a smooth one, or its square; null:
/// nothing.
std::shared_ptr<const Regularizer> part_of_every_f(const Problem& problem, const AlgorithmTraits& traits);
/// The problem with the rest of its regularizer, which the algorithm has a prox for.
Problem with_the_rest(Problem problem, const AlgorithmTraits& traits);

/// Throws Diagnosed, in the name of an algorithm of that kind, for a regularizer or a constraint that its traits do
/// not take.
void check_composite(const Problem& problem, std::string_view kind, const AlgorithmTraits& traits);

/// Whether it has a gradient everywhere.
bool is_smooth(const Regularizer& regularizer);
/// Whether the regularizer is 0 everywhere.
bool is_zero(const Regularizer& regularizer);

}  // namespace lagnet
