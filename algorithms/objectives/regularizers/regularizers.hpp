#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/objectives/iterate_shape.hpp"
#include "algorithms/objectives/prox.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// r(theta) = 0: the elastic net of weights 0, whose prox is the identity and whose conjugate is the indicator of 0.
struct NoneOptions : NoOptions {
  static constexpr std::string_view kind = "none";
  static constexpr std::string_view summary = "no regularizer";
};

std::shared_ptr<const Regularizer> make_regularizer(const NoneOptions& options);

/// r(theta) = a |theta|_1, a norm; soft thresholding is its prox.
struct L1Options {
  static constexpr std::string_view kind = "l1";
  static constexpr std::string_view summary = "weight |theta|_1";
  double weight = 0;  // a
  static void fields(auto& self, auto& field) {
    field("weight", self.weight, "a, the weight of |theta|_1", at_least(0).required());
  }
};

/// Throws std::invalid_argument unless the weight is finite and at least 0.
std::shared_ptr<const Regularizer> make_regularizer(const L1Options& options);

/// r(theta) = (b/2) |theta|_2^2: the elastic net without its l1 norm. prox_{t r}(q) = q / (1 + t b).
struct L2Options {
  static constexpr std::string_view kind = "l2";
  static constexpr std::string_view summary = "(weight / 2) |theta|_2^2";
  double weight = 0;  // b
  static void fields(auto& self, auto& field) {
    field("weight", self.weight, "b, the weight of |theta|_2^2 / 2", at_least(0).required());
  }
};

/// Throws std::invalid_argument unless the weight is finite and at least 0.
std::shared_ptr<const Regularizer> make_regularizer(const L2Options& options);

/// r(theta) = a |theta|_1 + (b/2) |theta|_2^2, a, b >= 0. prox_{t r}(q) = soft(q, t a) / (1 + t b).
/// Source: Zou, Hastie, "Regularization and variable selection via the elastic net" (2005).
struct ElasticNetOptions {
  static constexpr std::string_view kind = "elastic_net";
  static constexpr std::string_view summary = "l1_weight |theta|_1 + (l2_weight / 2) |theta|_2^2";
  double l1_weight = 0;  // a
  double l2_weight = 0;  // b
  static void fields(auto& self, auto& field) {
    field("l1_weight", self.l1_weight, "weight of |theta|_1", at_least(0));
    field("l2_weight", self.l2_weight, "weight of |theta|_2^2 / 2", at_least(0));
  }
};

/// Throws std::invalid_argument unless both weights are finite and at least 0.
std::shared_ptr<const Regularizer> make_regularizer(const ElasticNetOptions& options);

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

/// For iterates of this shape. Throws Diagnosed if the groups do not fill it, or if there are neither rows nor a
/// group size; std::invalid_argument unless the weight is finite and at least 0.
std::shared_ptr<const Regularizer> make_regularizer(const GroupLassoOptions& options, const IterateShape& shape);

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

/// For matrices of this shape. Throws Diagnosed if it is a vector's, std::invalid_argument unless the weight is
/// finite and at least 0.
std::shared_ptr<const Regularizer> make_regularizer(const NuclearOptions& options, const IterateShape& shape);

}  // namespace lagnet
