#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/constraint.hpp"
#include "algorithms/objectives/iterate_shape.hpp"

namespace lagnet {

/// All of R^d.
struct NoConstraintOptions {
  static constexpr std::string_view kind = "none";
  static constexpr std::string_view summary = "no constraint";
  template <class Self, class Visitor>
  static void fields(Self& /*self*/, Visitor& /*field*/) {}
};

/// Null, which stands for no constraint.
inline std::shared_ptr<const Constraint> make_constraint(const NoConstraintOptions& /*options*/,
                                                         IterateShape /*shape*/) {
  return nullptr;
}

}  // namespace lagnet
