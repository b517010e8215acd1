#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/loss.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// The hinge loss with its kink rounded off, labels y in {-1, +1}, t = 1 - y a: l(a, y) = 0 if t <= 0, t^2 / (2 gamma)
/// if t <= gamma, else t - gamma / 2. l is (1/gamma)-smooth, l*(lam; y) = y lam + (gamma/2) lam^2 on the domain
/// -1 <= y lam <= 0.
struct SmoothedHingeOptions {
  static constexpr std::string_view kind = "smoothed_hinge";
  static constexpr std::string_view summary = "hinge loss, quadratic within gamma of its kink, labels -1 and +1";
  double gamma = 1;  // in units of y a
  static void fields(auto& self, auto& field) {
    field("gamma", self.gamma, "width of the quadratic part, 1 / (the largest curvature)", above(0));
  }
};

/// Throws std::invalid_argument unless gamma is finite and above 0.
std::shared_ptr<const Loss> make_loss(const SmoothedHingeOptions& options);

}  // namespace lagnet
