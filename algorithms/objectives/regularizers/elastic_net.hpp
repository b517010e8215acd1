#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/prox.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// r(theta) = a |theta|_1 + (b/2) |theta|_2^2, a, b >= 0. prox_{t r}(q) = soft(q, t a) / (1 + t b).
/// Source: Zou, Hastie, "Regularization and variable selection via the elastic net" (2005).
struct ElasticNetOptions {
  static constexpr std::string_view kind = "elastic_net";
  static constexpr std::string_view summary = "l1_weight |theta|_1 + (l2_weight / 2) |theta|_2^2";
  double l1_weight = 0;  // a
  double l2_weight = 0;  // b
  static void fields(auto& self, auto& field) {
    field("l1_weight", self.l1_weight, "weight of |theta|_1", at_least(0));
    field("l2_weight", self.l2_weight, "weight of |theta|_2^2 / 2", at_least(0));
  }
};

/// Throws std::invalid_argument unless both weights are finite and at least 0.
std::shared_ptr<const Regularizer> make_regularizer(const ElasticNetOptions& options);

}  // namespace lagnet
