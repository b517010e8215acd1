#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/loss.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// l(a, y) = max(0, 1 - y a) with labels y in {-1, +1}, the loss of support vector machines. l*(lam; y) = y lam on the
/// domain -1 <= y lam <= 0. At the kink y a = 1 the subgradient is 0.
struct HingeOptions : NoOptions {
  static constexpr std::string_view kind = "hinge";
  static constexpr std::string_view summary = "max(0, 1 - y a), labels -1 and +1";
};

std::shared_ptr<const Loss> make_loss(const HingeOptions& options);

}  // namespace lagnet
