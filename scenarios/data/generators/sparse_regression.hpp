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

/// The values of the non-zero true coefficients. power: the k-th largest is +-k^(-1/q), so that theta is weakly sparse,
/// in the weak l_q ball, also where none of its coefficients is zero.
enum class TrueValues { ones, gaussian, power };
constexpr auto spellings(TrueValues) {
  return std::array{Spelling{TrueValues::ones, "ones"}, Spelling{TrueValues::gaussian, "gaussian"},
                    Spelling{TrueValues::power, "power"}};
}

/// The distribution of the entries of X, independent with mean 0 and variance 1: N(0, 1), or -1 and 1, bounded and
/// therefore sub-Gaussian.
enum class Design { gaussian, signs };
constexpr auto spellings(Design) {
  return std::array{Spelling{Design::gaussian, "gaussian"}, Spelling{Design::signs, "signs"}};
}

/// y = X theta + noise N(0,I), theta with few non-zeros at random places, rows of X i.i.d. with mean 0 and covariance
/// Sigma, N(0, Sigma) or made of signs: Sigma_jk =
/// correlation^|j-k|, whose eigenvalues lie between (1-r)/(1+r) and (1+r)/(1-r) for a correlation r, or diagonal with
/// variances that rise from 1 in the first column to the condition number in the last.
/// Source: Maros, Scutari, "Acceleration in distributed sparse regression" (2022), appendix A.2; places and values of
/// the non-zeros are not said there.
struct SparseRegressionOptions {
  std::int64_t samples = 0;
  std::int64_t features = 0;
  std::int64_t nonzeros = 0;
  TrueValues values = TrueValues::ones;
  double q = 0.5;
  Design design = Design::gaussian;
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
    field("values", self.values,
          "values of the non-zero coefficients: all 1, drawn from N(0, 1), or power: the k-th largest is +-k^(-1/q)");
    field("q", self.q, "q of values power: the smaller, the sparser", above_to(0, 1));
    field("design", self.design,
          "independent entries that X is made of: gaussian (N(0, 1)) or signs (-1 and 1, which are sub-Gaussian)");
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
    if (q != 0.5 && values != TrueValues::power) report("q", "0.5 where values are not power", q);
    if (condition_number > 1 && correlation != 0)
      report("condition_number", "1 with a correlation, which it does not go with", condition_number);
    if (condition_number > 1 && features == 1) report("condition_number", "1 with a single feature", condition_number);
  }
};

/// Options must be within their limits. Takes the memory of X and a few columns.
DataSet load(const SparseRegressionOptions& options, std::uint64_t seed);

}  // namespace lagnet
