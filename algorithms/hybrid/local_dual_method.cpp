#include "algorithms/hybrid/local_dual_method.hpp"

#include <algorithm>

namespace lagnet {

void LocalDualSteps::write_changes(const HyfdcaClient& own, const CellIteration::Part& part, Round t,
                                   Eigen::Ref<Vector> changes) const {
  const double gamma_t =
      options.gamma_rule == GammaRule::constant ? options.gamma : options.gamma / static_cast<double>(t);
  for (std::size_t j = 0; j < part.picks.size(); ++j) {
    const Index row = part.picks[j], i = own.cells.samples[static_cast<std::size_t>(row)];
    const Index all = std::ssize(cells.holders(i)), active = part.holders[j];
    const auto holders = static_cast<double>(options.normalize == NormalizeBy::all ? all : active);  // |B_i|
    changes[static_cast<Index>(j)] = gamma_t / holders * dual_change(own, row, gamma_t);
  }
}

double LocalDualSteps::dual_change(const HyfdcaClient& own, Index row, double gamma_t) const {
  const double a = own.a[row], p = own.p[row], y = own.cells.slices.label(row), square = own.norms[row];
  const double N = static_cast<double>(cells.samples());
  const double u = -loss.derivative(p, y);  // minus a subgradient, where the step of a zero sample ends
  const auto step = [&](double q) { return q > 0 ? loss.dual_step(a, p, y, q) : u; };
  if (options.local_method == LocalDualMethod::practical)
    return step(options.damping * square / (lambda * N)) - a;  // Algorithm 5
  const double c_k = options.c.value_or(static_cast<double>(own.cells.n()) / N);
  const double v = c_k * gamma_t * (u - a), f = step(square / lambda) - a;  // Algorithm 3
  const double r = v == 0 ? 0 : std::clamp(f / v, 0.0, 1.0);
  return r * c_k * (u - a);
}

Remarks warnings_of(const LocalDualOptions& options) {
  const bool practical = options.local_method == LocalDualMethod::practical;
  const LocalDualOptions unset;
  Remarks all;
  if (practical && options.gamma_rule == GammaRule::inverse_t)
    all.push_back({"gamma_rule_of_safe_method",
                   {},
                   "gamma_rule inverse_t is made for the safe method: with the practical one the steps die out"});
  if (practical && options.c != unset.c)
    all.push_back({"c_unused", {}, "c belongs to the safe method: the practical one does not use it"});
  if (!practical && options.damping != unset.damping)
    all.push_back({"damping_unused", {}, "damping belongs to the practical method: the safe one does not use it"});
  return all;
}

}  // namespace lagnet
