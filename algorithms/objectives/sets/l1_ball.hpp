#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/constraint.hpp"
#include "algorithms/objectives/iterate_shape.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// |theta|_1 <= R, by sorting: Duchi, Shalev-Shwartz, Singer, Chandra, "Efficient projections onto the l1-ball for
/// learning in high dimensions" (2008). A projection is billed d log2 d.
struct L1BallOptions {
  static constexpr std::string_view kind = "l1_ball";
  static constexpr std::string_view summary = "|theta|_1 <= radius";
  double radius = 0;  // R
  static void fields(auto& self, auto& field) {
    field("radius", self.radius, "R, the largest sum of absolute values", at_least(0).required());
  }
};

/// Throws std::invalid_argument unless the radius is finite and at least 0.
std::shared_ptr<const Constraint> make_constraint(const L1BallOptions& options, IterateShape shape);

/// argmin over |x|_1 <= R of |x - u|_2, with the bits of u where it is inside or not finite. R >= 0.
Vector project_on_l1_ball(VectorRef u, double R);

}  // namespace lagnet
