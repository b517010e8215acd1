#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/options.hpp"

namespace lagnet {

/// How an agent descends along its own f_i between two exchanges.
struct LocalGradientOptions {
  std::int64_t local_steps = 1;  // K
  std::optional<std::int64_t> batch = {};
  double K() const { return static_cast<double>(local_steps); }
  static void fields(auto& self, auto& field) {
    field("local_steps", self.local_steps, "K, gradient steps of an agent in a round", at_least(1));
    declare_batch(self, field);
  }
  static void declare_batch(auto& self, auto& field) {
    field("batch", self.batch,
          "samples of a gradient, drawn without replacement; null, or as many as an agent has: all", at_least(1));
  }
  void check(auto&) const {}
};

}  // namespace lagnet
