#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/objectives/constraint.hpp"
#include "algorithms/objectives/iterate_shape.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

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

}  // namespace lagnet
