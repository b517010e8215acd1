#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/objectives/iterate_shape.hpp"
#include "algorithms/objectives/prox.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// r(theta) = a sum over groups g of |theta_g|_2, groups of equal size one after the other, by default the rows of a
/// matrix. Its prox shrinks each group, theta_g max(1 - t a / |theta_g|, 0).
/// Source: Yuan, Lin, "Model selection and estimation in regression with grouped variables" (2006), without the factors
/// for the groups' sizes, which are equal here.
struct GroupLassoOptions {
  static constexpr std::string_view kind = "group_lasso";
  static constexpr std::string_view summary = "weight * (sum of the l2 norms of groups of coefficients)";
  double weight = 0;  // a
  std::optional<std::int64_t> group_size;
  static void fields(auto& self, auto& field) {
    field("weight", self.weight, "a, the weight of the groups' norms", at_least(0).required());
    field("group_size", self.group_size,
          "number of consecutive coefficients in a group; null: a group is a row of the matrix", at_least(1));
  }
};

/// For iterates of this shape. Throws OptionError if the groups do not fill it, or if there are neither rows nor a
/// group size; std::invalid_argument unless the weight is finite and at least 0.
std::shared_ptr<const Regularizer> make_regularizer(const GroupLassoOptions& options, const IterateShape& shape);

}  // namespace lagnet
