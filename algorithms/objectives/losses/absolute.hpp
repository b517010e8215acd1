#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/loss.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// l(a, y) = |a - y|. At the kink a = y the derivative given is 0.
struct AbsoluteOptions : NoOptions {
  static constexpr std::string_view kind = "absolute";
  static constexpr std::string_view summary = "|a - y|, least absolute deviations";
};

std::shared_ptr<const Loss> make_loss(const AbsoluteOptions& options);

}  // namespace lagnet
