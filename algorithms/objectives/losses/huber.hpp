#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/loss.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// With t = a - y and threshold h: l(a, y) = t^2/2 if |t| <= h, else h |t| - h^2/2.
struct HuberOptions {
  static constexpr std::string_view kind = "huber";
  static constexpr std::string_view summary = "squared near the label, linear beyond a threshold";
  double threshold = 1;  // h, in units of the labels
  static void fields(auto& self, auto& field) {
    field("threshold", self.threshold, "largest |a - y| at which the loss is still quadratic, in units of the labels",
          above(0));
  }
};

/// Throws std::invalid_argument unless the threshold is finite and above 0.
std::shared_ptr<const Loss> make_loss(const HuberOptions& options);

}  // namespace lagnet
