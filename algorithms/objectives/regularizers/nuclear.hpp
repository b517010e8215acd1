#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/iterate_shape.hpp"
#include "algorithms/objectives/prox.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// r(Theta) = a times the sum of the singular values of a matrix Theta. Its prox thresholds them, SVT_t(U diag(s) V') =
/// U diag(max(s - t a, 0)) V'; a U V' with the parts of singular values that are not 0 is a subgradient; its dual norm
/// is the largest singular value.
/// Source: Cai, Candes, Shen, "A singular value thresholding algorithm for matrix completion" (2010).
struct NuclearOptions {
  static constexpr std::string_view kind = "nuclear";
  static constexpr std::string_view summary = "weight * (sum of the singular values) of a matrix";
  double weight = 0;  // a
  static void fields(auto& self, auto& field) {
    field("weight", self.weight, "a, the weight of the sum of singular values", at_least(0).required());
  }
};

/// For matrices of this shape. Throws OptionError if it is a vector's, std::invalid_argument unless the weight is
/// finite and at least 0.
std::shared_ptr<const Regularizer> make_regularizer(const NuclearOptions& options, const IterateShape& shape);

}  // namespace lagnet
