#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/objectives/constraint.hpp"
#include "algorithms/objectives/iterate_shape.hpp"
#include "algorithms/objectives/sets/box.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// |Theta|_* <= R and every |entry| <= bound, the constraint of matrix completion: an Intersection.
struct NuclearBallAndBoxOptions {
  static constexpr std::string_view kind = "nuclear_ball_and_box";
  static constexpr std::string_view summary = "sum of the singular values <= radius, and every |entry| <= bound";
  double radius = 0;  // R
  std::optional<double> bound, omega;
  std::optional<std::int64_t> rows;
  static void fields(auto& self, auto& field) {
    field("radius", self.radius, "R, the largest sum of singular values", at_least(0).required());
    field("bound", self.bound, "largest absolute value of an entry; give this or omega", at_least(0));
    field("omega", self.omega, "bound times the square root of the number of entries, which is p for a p x p matrix",
          above(0));
    field("rows", self.rows,
          "number of rows of the matrix that the coefficients form, row by row; by default that of the data",
          at_least(1));
  }
  void check(auto& report) const { BoxOptions{.bound = bound, .omega = omega}.check(report); }
};

/// Throws what nuclear_ball and box throw.
std::shared_ptr<const Constraint> make_constraint(const NuclearBallAndBoxOptions& options, IterateShape shape);

}  // namespace lagnet
