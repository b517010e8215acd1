#include "algorithms/interface/proximal_map.hpp"

#include "algorithms/objectives/option_error.hpp"

namespace lagnet {

bool is_zero(const Regularizer& regularizer) {
  return regularizer.l1_weight() == 0.0 && regularizer.l2_weight() == 0.0;
}

bool is_smooth(const Regularizer& regularizer) { return regularizer.l1_weight() == 0.0; }

void check_composite(const Problem& problem, std::string_view kind, const AlgorithmTraits& traits) {
  if (problem.constraint && !traits.takes_constraint)
    throw OptionError("kind", "an algorithm that keeps iterates in a set, or a problem without a constraint",
                      std::string(kind));
  if (is_zero(*problem.regularizer) || traits.takes_regularizers == Regularizers::all) return;
  if (traits.takes_regularizers == Regularizers::none)
    throw OptionError("kind", "an algorithm that knows regularizers, or a problem without", std::string(kind));
  if (!is_smooth(*problem.regularizer))
    throw OptionError("kind", "an algorithm with a prox for the regularizer, or a problem with l2 or none",
                      std::string(kind));
}

ProximalMap::ProximalMap(const Problem& problem, std::string_view kind)
    : regularizer_(is_zero(*problem.regularizer) ? nullptr : problem.regularizer), constraint_(problem.constraint) {
  if (regularizer_ && constraint_)
    throw OptionError("kind", "an algorithm for a regularizer and a constraint at once, or a problem with one of them",
                      std::string(kind));
}

Vector ProximalMap::operator()(VectorRef u, double step) const {
  if (constraint_) return constraint_->project(u);
  if (regularizer_) return regularizer_->prox(u, step);
  return u;
}

Flops ProximalMap::flops(Index d) const {
  if (constraint_) return constraint_->flops(d);
  return regularizer_ ? regularizer_->prox_flops(d) : 0;
}

}  // namespace lagnet
