#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/loss.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// l(a, y) = (a - y)^2 / 2. The factor 1/2 belongs to the loss: objectives in papers without it are twice these.
struct SquaredOptions : NoOptions {
  static constexpr std::string_view kind = "squared";
  static constexpr std::string_view summary = "(a - y)^2 / 2, least squares";
};

std::shared_ptr<const Loss> make_loss(const SquaredOptions& options);

}  // namespace lagnet
