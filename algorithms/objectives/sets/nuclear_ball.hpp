#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/objectives/constraint.hpp"
#include "algorithms/objectives/iterate_shape.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// |Theta|_* <= R, the sum of the singular values: they are projected on the l1 ball. A projection of an a x b matrix
/// is billed 20 a b min(a, b), about what its singular vectors take.
struct NuclearBallOptions {
  static constexpr std::string_view kind = "nuclear_ball";
  static constexpr std::string_view summary =
      "sum of the singular values <= radius, for coefficients that form a matrix";
  double radius = 0;  // R
  std::optional<std::int64_t> rows;
  static void fields(auto& self, auto& field) {
    field("radius", self.radius, "R, the largest sum of singular values", at_least(0).required());
    field("rows", self.rows,
          "number of rows of the matrix that the coefficients form, row by row; by default that of the data",
          at_least(1));
  }
};

/// Throws std::invalid_argument unless the radius is finite and at least 0, and OptionError where the coefficients are
/// no matrix.
std::shared_ptr<const Constraint> make_constraint(const NuclearBallOptions& options, IterateShape shape);

/// The shape of a matrix whose rows an option may tell. Throws OptionError for a vector, or for rows that do not divide
/// its size.
IterateShape matrix_shape(IterateShape shape, std::optional<std::int64_t> rows);

}  // namespace lagnet
