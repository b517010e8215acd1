#pragma once

#include <memory>
#include <optional>
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
  std::optional<double> radius;         // R
  std::optional<double> radius_of_fit;  // R over the l1 norm of the minimum-norm least squares fit
  static void fields(auto& self, auto& field) {
    field("radius", self.radius, "R, the largest sum of absolute values; give this or radius_of_fit", at_least(0));
    field("radius_of_fit", self.radius_of_fit,
          "R as a share of the sum of absolute values of the least squares fit to the training samples, that of least "
          "Euclidean norm where there are several: it belongs to the samples that are drawn",
          at_least(0));
  }
  void check(auto& report) const {
    if (radius.has_value() == radius_of_fit.has_value())
      report("radius", "one of radius and radius_of_fit", radius ? "both of them" : "neither of them");
  }
};

/// Throws std::invalid_argument unless there is a radius that is finite and at least 0.
std::shared_ptr<const Constraint> make_constraint(const L1BallOptions& options, IterateShape shape);

/// argmin over |x|_1 <= R of |x - u|_2, with the bits of u where it is inside or not finite. R >= 0.
Vector project_on_l1_ball(VectorRef u, double R);

}  // namespace lagnet
