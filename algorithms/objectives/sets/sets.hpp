#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/objectives/constraint.hpp"
#include "algorithms/objectives/iterate_shape.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// All of R^d.
struct NoConstraintOptions : NoOptions {
  static constexpr std::string_view kind = "none";
  static constexpr std::string_view summary = "no constraint";
};

/// Null, which stands for no constraint.
inline std::shared_ptr<const Constraint> make_constraint(const NoConstraintOptions& /*options*/,
                                                         IterateShape /*shape*/) {
  return nullptr;
}

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

/// |entry| <= bound. For matrix completion the bound is omega/p (Maros, Scutari 2022, corollary 4), p the side of a
/// square matrix; of another shape the root of its number of entries.
struct BoxOptions {
  static constexpr std::string_view kind = "box";
  static constexpr std::string_view summary = "every |entry| <= bound";
  std::optional<double> bound, omega;
  static void fields(auto& self, auto& field) {
    field("bound", self.bound, "largest absolute value of an entry; give this or omega", at_least(0));
    field("omega", self.omega, "bound times the square root of the number of entries, which is p for a p x p matrix",
          above(0));
  }
  void check(auto& report) const {
    if (bound.has_value() == omega.has_value())
      report("bound", "one of bound and omega", bound ? "both of them" : "neither of them");
  }
  double bound_for(IterateShape shape) const;
};

/// Throws std::invalid_argument unless the bound is finite and at least 0.
std::shared_ptr<const Constraint> make_constraint(const BoxOptions& options, IterateShape shape);

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

/// Throws std::invalid_argument unless the radius is finite and at least 0, and Diagnosed where the coefficients are
/// no matrix.
std::shared_ptr<const Constraint> make_constraint(const NuclearBallOptions& options, IterateShape shape);

/// The shape of a matrix whose rows an option may tell. Throws Diagnosed for a vector, or for rows that do not divide
/// its size.
IterateShape matrix_shape(IterateShape shape, std::optional<std::int64_t> rows);

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
