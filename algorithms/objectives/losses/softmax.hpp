#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/objectives/loss.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// Multiclass logistic regression: l(a, y) = log sum_k exp(a_k) - a_y of the scores a = W' x (c), labels y in 0 .. c-1,
/// no intercept. Its gradient in a is softmax(a) - e_y, and l*(lam; y) = sum_k p_k log p_k with p = lam + e_y in the
/// unit simplex. In the Euclidean norm the gradient is at most sqrt(2) and its Lipschitz constant 1/2.
struct SoftmaxOptions {
  static constexpr std::string_view kind = "softmax";
  static constexpr std::string_view summary =
      "log sum exp(a) - a_y, one score for each class, labels 0, 1, .., classes - 1";
  std::optional<std::int64_t> classes;
  static void fields(auto& self, auto& field) {
    field("classes", self.classes, "c, number of classes; null: one more than the largest label", within(2, 65536));
  }
};

/// Labels (n) are looked at where the options do not say the number of classes. Throws Diagnosed if neither does.
std::shared_ptr<const Loss> make_loss(const SoftmaxOptions& options, VectorRef labels = Vector());

}  // namespace lagnet
