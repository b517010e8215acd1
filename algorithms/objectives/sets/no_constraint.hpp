#pragma once

#include <memory>
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

}  // namespace lagnet
