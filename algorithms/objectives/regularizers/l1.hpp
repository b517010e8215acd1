#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/prox.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// r(theta) = a |theta|_1, a norm; soft thresholding is its prox.
struct L1Options {
  static constexpr std::string_view kind = "l1";
  static constexpr std::string_view summary = "weight |theta|_1";
  double weight = 0;  // a
  static void fields(auto& self, auto& field) {
    field("weight", self.weight, "a, the weight of |theta|_1", at_least(0).required());
  }
};

/// Throws std::invalid_argument unless the weight is finite and at least 0.
std::shared_ptr<const Regularizer> make_regularizer(const L1Options& options);

}  // namespace lagnet
