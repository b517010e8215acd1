#include "algorithms/hybrid/hyfem.hpp"

#include <fmt/format.h>

namespace lagnet {

void Hyfem::descend(const Local& now, StateVector& w) const {
  const SampleRows& x = now.own.slices;
  for (const Index i : now.picks) {
    const double slope = loss().derivative(x.score(i, w), x.label(i));
    w -= now.lr * (lambda() * w + mu_ * (w - now.w0));
    x.add(i, -now.lr * slope, w);
  }
}

Hyfem::Hyfem(const HyfemOptions& options, MethodInput input)
    : HybridPrimal(HyfemOptions::kind, options, std::move(input)), mu_(options.mu) {
  add_constant("mu", mu_);
  const double first = lr(1) * (lambda() + mu_);
  if (!(first < 2))
    add_warning({"first_step_too_long",
                 {{"product", first}},
                 fmt::format("lr_1 (lambda + mu) = {:.4g} is not below 2: the first iterations drive the models apart",
                             first)});
}

}  // namespace lagnet
