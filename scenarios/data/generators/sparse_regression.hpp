#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/generators/data_shape.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// How variances are spaced between 1 and the condition number.
enum class Spacing { linear, geometric };
constexpr auto spellings(Spacing) {
  return std::array{Spelling{Spacing::linear, "linear"}, Spelling{Spacing::geometric, "geometric"}};
}

/// The values of the non-zero true coefficients.
enum class TrueValues { ones, gaussian };
constexpr auto spellings(TrueValues) {
  return std::array{Spelling{TrueValues::ones, "ones"}, Spelling{TrueValues::gaussian, "gaussian"}};
}

/// y = X theta + noise N(0,I), theta with few non-zeros at random places, rows of X i.i.d. N(0, Sigma): Sigma_jk =
/// correlation^|j-k|, whose eigenvalues lie between (1-r)/(1+r) and (1+r)/(1-r) for a correlation r, or diagonal with
/// variances that rise from 1 in the first column to the condition number in the last.
/// Source: Maros, Scutari, "Acceleration in distributed sparse regression" (2022), appendix A.2; places and values of
/// the non-zeros are not said there.
struct SparseRegressionOptions {
  std::int64_t samples = 0;
  std::int64_t features = 0;
  std::int64_t nonzeros = 0;
  TrueValues values = TrueValues::ones;
  double noise = 0.5;
  double correlation = 0;
  double condition_number = 1;
  Spacing spacing = Spacing::linear;

  static constexpr std::string_view kind = "sparse_regression";
  static constexpr std::string_view summary = "linear model with few non-zero coefficients and correlated features";
  static void fields(auto& self, auto& field) {
    field("samples", self.samples, "number of rows N, over all agents", at_least(1).required());
    field("features", self.features, "number of columns d", at_least(1).required());
    field("nonzeros", self.nonzeros, "s, number of non-zero true coefficients, at random places",
          at_least(0).required());
    field("values", self.values, "values of the non-zero coefficients: all 1, or drawn from N(0, 1)");
    field("noise", self.noise, "standard deviation of the noise on the labels", at_least(0));
    field("correlation", self.correlation, "r: features j and k have the covariance r^|j-k|; 0: independent features",
          between(-1, 1));
    field("condition_number", self.condition_number,
          "kappa: instead of correlated features, independent ones with variances from 1 to kappa", at_least(1));
    field("spacing", self.spacing, "how these variances are spaced");
  }
  DataShape shape() const { return DataShape::plain(samples, features); }
  void check(auto& report) const {
    if (nonzeros > features) report("nonzeros", "at most as many as features", nonzeros);
    if (condition_number > 1 && correlation != 0)
      report("condition_number", "1 with a correlation, which it does not go with", condition_number);
    if (condition_number > 1 && features == 1) report("condition_number", "1 with a single feature", condition_number);
  }
};

/// Options must be within their limits. Takes the memory of X and a few columns.
DataSet load(const SparseRegressionOptions& options, std::uint64_t seed);

}  // namespace lagnet
