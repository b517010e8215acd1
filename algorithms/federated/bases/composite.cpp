#include "algorithms/federated/bases/composite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

SmoothPart::SmoothPart(const RowBlock& samples, const Loss& loss, double b)
    : samples_(samples), loss_(loss), b_(b), all_(static_cast<std::size_t>(samples.rows())) {
  std::iota(all_.begin(), all_.end(), Index{0});
  work_ = samples.gradient_work(all_, loss.outputs());
  const Index d = samples.cols() * loss.outputs();
  if (b > 0) work_ = work_ + Cost(2 * d, Bytes{sizeof(double)} * 3 * d);
}

Vector SmoothPart::gradient(VectorRef w) const {
  Vector g = samples_.gradient(loss_, w, all_);
  if (b_ > 0) g += b_ * w;
  return g;
}

namespace {
/// The problem with r in place of its regularizer: of a method that takes smooth ones alone all is in every f_k.
Problem with_r(Problem problem, const AlgorithmTraits& traits) {
  if (traits.takes_regularizers == Regularizers::all) return with_the_rest(std::move(problem), traits);
  problem.regularizer = make_regularizer(ElasticNetOptions{});
  return problem;
}
}  // namespace

CompositeMethod::CompositeMethod(std::string_view kind, const AlgorithmTraits& traits, MethodInput given,
                                 Index client_vectors)
    : FederatedMethod(kind, {}, std::move(given)),
      b_(regularizer().l2_weight().value_or(0)),
      P_(with_r(problem(), traits), kind),
      client_vectors_(client_vectors) {
  LAGNET_CHECK(traits.square == SquareStands::in_every_f || traits.takes_regularizers != Regularizers::all,
               "{} leaves the square to the prox", kind);
  need_gradient(kind);
  check_composite(problem(), kind, traits);
}

std::vector<double> CompositeMethod::curvatures() const {
  std::vector<double> L = shard_curvatures("step", given());
  L.erase(L.begin());  // the server's
  for (double& of_client : L) of_client += b_;
  if (!(*std::ranges::max_element(L) > 0))
    throw Diagnosed("step", "a number above 0, since data that are all 0 have no curvature", "theory");
  return L;
}

double CompositeMethod::largest_curvature_of_parts(std::optional<double> L) const {
  return L ? *L : std::ranges::max(curvatures());
}

double CompositeMethod::strong_convexity_of_parts(std::optional<double> mu, double L) const {
  const double found = mu ? positive("mu", *mu) : need_strong_convexity(least_shard_curvature(given()), b_, "null");
  constexpr double rounding = 1e-9;  // of eigenvalues: where every part has one curvature mu and L are equal
  if (L < found * (mu ? 1 : 1 - rounding))
    throw Diagnosed("L", fmt::format("at least mu, which is {:.6g}", found), fmt::format("{:.6g}", L));
  return found;
}

std::optional<Bytes> CompositeMethod::memory() const {
  return *FederatedMethod::memory() + Bytes{sizeof(double)} * client_vectors_ * agents() * d();
}

}  // namespace lagnet
