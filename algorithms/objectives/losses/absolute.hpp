#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/loss.hpp"

namespace lagnet {

/// l(a, y) = |a - y|. At the kink a = y the derivative given is 0.
struct AbsoluteOptions {
  static constexpr std::string_view kind = "absolute";
  static constexpr std::string_view summary = "|a - y|, least absolute deviations";
  template <class Self, class Visitor>
  static void fields(Self& /*self*/, Visitor& /*field*/) {}
};

std::shared_ptr<const Loss> make_loss(const AbsoluteOptions& options);

}  // namespace lagnet
