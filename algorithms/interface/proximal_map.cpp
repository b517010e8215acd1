#include "algorithms/interface/proximal_map.hpp"

#include <utility>

#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "sim/base/diagnostic.hpp"

namespace lagnet {

bool is_zero(const Regularizer& regularizer) {
  return regularizer.l1_weight() == 0.0 && regularizer.l2_weight() == 0.0;
}

bool is_smooth(const Regularizer& regularizer) { return regularizer.smoothness().has_value(); }

namespace {

/// b > 0 where the traits put (b/2) |theta|_2^2 into every f_i although the algorithm has a prox, else 0.
double square_of_every_f(const Problem& problem, const AlgorithmTraits& traits) {
  const bool is_split = traits.takes_regularizers == Regularizers::all &&
                        (traits.square == SquareStands::in_every_f || traits.square == SquareStands::smooth_in_every_f);
  return is_split ? problem.regularizer->l2_weight().value_or(0) : 0;
}

/// Whether the traits put all of the regularizer into every f_i although the algorithm has a prox.
bool all_is_in_every_f(const Problem& problem, const AlgorithmTraits& traits) {
  return traits.takes_regularizers == Regularizers::all && traits.square == SquareStands::smooth_in_every_f &&
         is_smooth(*problem.regularizer);
}

}  // namespace

std::shared_ptr<const Regularizer> part_of_every_f(const Problem& problem, const AlgorithmTraits& traits) {
  const bool is_whole = traits.takes_regularizers == Regularizers::smooth || all_is_in_every_f(problem, traits);
  if (is_whole && !is_zero(*problem.regularizer)) return problem.regularizer;
  const double b = square_of_every_f(problem, traits);
  return b > 0 ? make_regularizer(ElasticNetOptions{.l2_weight = b}) : nullptr;
}

Problem with_the_rest(Problem problem, const AlgorithmTraits& traits) {
  if (all_is_in_every_f(problem, traits))
    problem.regularizer = make_regularizer(ElasticNetOptions{});
  else if (square_of_every_f(problem, traits) > 0)
    problem.regularizer = make_regularizer(ElasticNetOptions{.l1_weight = problem.regularizer->l1_weight().value()});
  return problem;
}

void check_composite(const Problem& problem, std::string_view kind, const AlgorithmTraits& traits) {
  if (problem.constraint && !traits.takes_constraint)
    throw Diagnosed("kind", "an algorithm that keeps iterates in a set, or a problem without a constraint",
                    std::string(kind));
  if (is_zero(*problem.regularizer) || traits.takes_regularizers == Regularizers::all) return;
  if (traits.takes_regularizers == Regularizers::none)
    throw Diagnosed("kind", "an algorithm that knows regularizers, or a problem without", std::string(kind));
  if (!is_smooth(*problem.regularizer))
    throw Diagnosed("kind", "an algorithm with a prox for the regularizer, or a problem with l2 or none",
                    std::string(kind));
}

ProximalMap::ProximalMap(const Problem& problem, std::string_view kind)
    : regularizer_(is_zero(*problem.regularizer) ? nullptr : problem.regularizer), constraint_(problem.constraint) {
  if (regularizer_ && constraint_)
    throw Diagnosed("kind", "an algorithm for a regularizer and a constraint at once, or a problem with one of them",
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
