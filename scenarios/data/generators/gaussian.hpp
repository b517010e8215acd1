#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/generators/data_shape.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// Column `column` of an i.i.d. N(0,1) matrix with `samples` rows; it does not depend on who makes it or in which
/// order.
Vector gaussian_column(Index samples, Index column, std::uint64_t seed);

/// The `features` true coefficients: i.i.d. N(0,1), all but `nonzeros` places, drawn at random, then set to zero.
Vector gaussian_truth(Index features, std::optional<std::int64_t> nonzeros, std::uint64_t seed);

/// y = X theta + noise N(0,I), with rows of X i.i.d. N(0, scale^2 C), C diagonal with the given condition number:
/// C_jj = condition_number^(-j/(d-1)) for j = 0 .. d-1, from 1 down. theta as gaussian_truth.
struct GaussianRegressionOptions {
  std::int64_t samples = 0;
  std::int64_t features = 0;
  double condition_number = 1;
  std::optional<std::int64_t> nonzeros;
  double noise = 1;
  double scale = 1;

  static constexpr std::string_view kind = "gaussian_regression";
  static constexpr std::string_view summary = "linear model with Gaussian features and noise";
  static void fields(auto& self, auto& field) {
    field("samples", self.samples, "number of rows n", at_least(1).required());
    field("features", self.features, "number of columns d", at_least(1).required());
    field("condition_number", self.condition_number,
          "condition number of the features' covariance; its eigenvalues fall geometrically from scale^2; 1: i.i.d. "
          "entries",
          at_least(1));
    field("nonzeros", self.nonzeros, "number of non-zero true coefficients, at random places; by default all",
          at_least(0));
    field("noise", self.noise, "standard deviation of the noise on the labels", at_least(0));
    field("scale", self.scale, "factor on X", above(0));
  }
  DataShape shape() const { return DataShape::plain(samples, features); }
  void check(auto& report) const {
    if (nonzeros && *nonzeros > features) report("nonzeros", "at most as many as features", *nonzeros);
    if (condition_number > 1 && features == 1) {
      report("condition_number", "1 with a single feature", condition_number);
    }
  }
};

/// y = sign(X theta + noise N(0,I)) in {-1,+1}, each label then flipped with a probability; X i.i.d. N(0, scale^2).
struct GaussianClassificationOptions {
  std::int64_t samples = 0;
  std::int64_t features = 0;
  std::optional<std::int64_t> nonzeros;
  double noise = 1;
  double label_flip_probability = 0;
  double scale = 1;

  static constexpr std::string_view kind = "gaussian_classification";
  static constexpr std::string_view summary = "Gaussian features in two classes, separated by a random hyperplane";
  static void fields(auto& self, auto& field) {
    field("samples", self.samples, "number of rows n", at_least(1).required());
    field("features", self.features, "number of columns d", at_least(1).required());
    field("nonzeros", self.nonzeros, "number of non-zero true coefficients, at random places; by default all",
          at_least(0));
    field("noise", self.noise, "standard deviation of the noise before the sign is taken", at_least(0));
    field("label_flip_probability", self.label_flip_probability, "probability that a label is flipped", within(0, 1));
    field("scale", self.scale, "factor on X", above(0));
  }
  DataShape shape() const { return DataShape::plain(samples, features); }
  void check(auto& report) const {
    if (nonzeros && *nonzeros > features) report("nonzeros", "at most as many as features", *nonzeros);
  }
};

/// Options must be within their limits.
DataSet load(const GaussianRegressionOptions& options, std::uint64_t seed);
DataSet load(const GaussianClassificationOptions& options, std::uint64_t seed);

}  // namespace lagnet
