#include "algorithms/federated/newton/second_order.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "algorithms/interface/curvature.hpp"
#include "sim/numerics/cholesky.hpp"

namespace lagnet {

std::vector<double> StepLadder::shares() const {
  std::vector<double> all;
  for (double a = 1; std::ssize(all) < count; a *= factor) all.push_back(a);
  return all;
}

SecondOrderMethod::SecondOrderMethod(std::string_view kind, const AlgorithmTraits& traits, MethodInput given,
                                     const StepLadder& ladder)
    : CompositeMethod(kind, traits, std::move(given), 0), ladder_(ladder) {
  need_second_derivative(loss(), kind);
  if (!is_zero(regularizer()) && !regularizer().l2_weight())
    throw Diagnosed("kind", "an algorithm that needs no more of the regularizer than its gradient, or l2 or none",
                    std::string(kind));
  const std::vector<Index>& starts = this->given().sample_starts;
  for (std::size_t k = 0; k + 1 < starts.size(); ++k)
    blocks_.push_back(problem().X->row_range(starts[k], starts[k + 1] - starts[k]));
}

void SecondOrderMethod::need_curved_parts(std::string_view kind, double added) const {
  if (added > 0 || !has_numbers()) return;
  const LeastCurvature least = least_shard_curvature(given());
  if (least.value > 0) return;
  throw Diagnosed(
      "kind",
      fmt::format("an l2 regularizer for {}, since the Hessian of agent {}'s part may be singular", kind, least.agent),
      std::string(kind));
}

OwnFunction SecondOrderMethod::function_of_client(AgentId k) const {
  const Index first = given().sample_starts[k], n = blocks_[k].rows();
  const double* const labels = has_numbers() ? problem().y.data() + first : nullptr;
  return {.X = blocks_[k], .y = VectorView(labels, labels ? n : 0), .loss = loss(), .weight = 1, .l2_weight = b()};
}

Vector SecondOrderMethod::newton_direction(const Matrix& H, VectorRef g) {
  const Cholesky cholesky(H);
  if (cholesky.succeeded()) return cholesky.solve(g);
  return Vector::Constant(g.size(), std::numeric_limits<double>::quiet_NaN());
}

Vector SecondOrderMethod::values_along(const OwnFunction& f, VectorRef x, VectorRef p) const {
  const Vector scores = f.X.times(x), change = f.X.times(p);
  Vector all(1 + ladder_.count);
  all[0] = f.value(x, scores);
  Index j = 0;
  for (const double a : ladder_.shares()) all[++j] = f.value(x - a * p, scores - a * change);
  return all;
}

Cost SecondOrderMethod::values_work(const OwnFunction& f) const {
  return {2 * f.X.nonzeros() + 4 * (1 + ladder_.count) * f.X.rows(), f.X.bytes()};
}

double SecondOrderMethod::share_of(std::span<const Message> values, VectorRef g, VectorRef p) const {
  if (!searches()) return 1;
  constexpr double rounding = 2e-15;  // of values that are compared, relative to them
  StateVector means = Vector::Zero(1 + ladder_.count);
  take_mean(values, means);
  const double f = means[0], slope = ladder_.slope * g.dot(p);
  const std::vector<double> shares = ladder_.shares();
  for (std::size_t j = 0; j < shares.size(); ++j)
    if (means[static_cast<Index>(j) + 1] <= f - shares[j] * slope + rounding * std::abs(f)) return shares[j];
  return shares.back();
}

std::vector<std::string> SecondOrderMethod::metric_names() const {
  return searches() ? std::vector<std::string>{"line_search_step"} : std::vector<std::string>{};
}

Evaluation SecondOrderMethod::evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const {
  Evaluation evaluation = CompositeMethod::evaluate(round, report, error_scale);
  if (!searches()) return evaluation;
  evaluation.metrics = {round > 0 ? std::optional<double>(report[server_agent][1][0]) : std::nullopt};
  return evaluation;
}

std::optional<Bytes> SecondOrderMethod::memory() const {
  Bytes bytes = *CompositeMethod::memory();
  for (const DataMatrix& X : blocks_) bytes += X.bytes();
  return bytes;
}

}  // namespace lagnet
