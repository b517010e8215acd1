#include "algorithms/interface/proximal_map.hpp"

#include "algorithms/objectives/option_error.hpp"

namespace lagnet {

bool is_zero(const Regularizer& regularizer) {
  return regularizer.l1_weight() == 0.0 && regularizer.l2_weight() == 0.0;
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
