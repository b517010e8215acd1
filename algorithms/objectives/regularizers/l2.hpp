#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/prox.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// r(theta) = (b/2) |theta|_2^2: the elastic net without its l1 norm. prox_{t r}(q) = q / (1 + t b).
struct L2Options {
  static constexpr std::string_view kind = "l2";
  static constexpr std::string_view summary = "(weight / 2) |theta|_2^2";
  double weight = 0;  // b
  static void fields(auto& self, auto& field) {
    field("weight", self.weight, "b, the weight of |theta|_2^2 / 2", at_least(0).required());
  }
};

/// Throws std::invalid_argument unless the weight is finite and at least 0.
std::shared_ptr<const Regularizer> make_regularizer(const L2Options& options);

}  // namespace lagnet
