#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/constraint.hpp"
#include "algorithms/objectives/iterate_shape.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// |theta|_2 <= R. A projection is billed 3 d: the norm, and a product each.
struct L2BallOptions {
  static constexpr std::string_view kind = "l2_ball";
  static constexpr std::string_view summary = "|theta|_2 <= radius";
  double radius = 0;  // R
  static void fields(auto& self, auto& field) {
    field("radius", self.radius, "R, the largest Euclidean norm", at_least(0).required());
  }
};

/// Throws std::invalid_argument unless the radius is finite and at least 0.
std::shared_ptr<const Constraint> make_constraint(const L2BallOptions& options, IterateShape shape);

}  // namespace lagnet
