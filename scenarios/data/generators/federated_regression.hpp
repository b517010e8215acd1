#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/generators/data_shape.hpp"
#include "sim/base/options.hpp"

/// Regression data of clients that differ: each has a shift of its own. Samples are in the order of clients, so that
/// the partition `samples` gives each client its own. A client's data depend on its number and the seed, not on the
/// numbers of clients or samples. A test set has fresh samples of the same clients. Source: Bao, Crawshaw, Luo, Liu,
/// "Fast composite optimization and statistical recovery in federated learning" (2022), section 4 and appendix F; their
/// text, where their code gives all clients the last one's shift.
namespace lagnet {

/// Client k has delta_k ~ N(0, shift^2 I) and samples x = delta_k + z, z ~ N(0, Sigma), Sigma_ij = correlation^|i-j|;
/// w* = (1 in the first s places, 0 in the others), y = <x, w*> + noise N(0,1).
struct FederatedRegressionOptions {
  std::int64_t clients = 0;
  std::int64_t samples_per_client = 0;
  std::int64_t features = 0;
  std::int64_t nonzeros = 0;
  double correlation = 0.5;
  double shift = 1;
  double noise = 1;
  std::int64_t test_samples_per_client = 0;

  static constexpr std::string_view kind = "federated_regression";
  static constexpr std::string_view summary = "sparse linear model; each client shifts the features differently";
  static void fields(auto& self, auto& field) {
    declare_clients(self, field);
    field("features", self.features, "number of columns p", at_least(1).required());
    field("nonzeros", self.nonzeros, "s: the first s true coefficients are 1, the others 0", at_least(0).required());
    field("correlation", self.correlation, "r: features i and j have the covariance r^|i-j| within a client",
          between(-1, 1));
    field("shift", self.shift, "standard deviation of the entries of a client's shift", at_least(0));
    field("noise", self.noise, "standard deviation of the noise on the labels", at_least(0));
    declare_test_samples(self, field);
  }
  DataShape shape() const { return DataShape::plain(1.0 * clients * samples_per_client, features); }
  void check(auto& report) const {
    if (nonzeros > features) report("nonzeros", "at most as many as features", nonzeros);
  }
};

/// Trace regression: matrices x = Z_k + A of p1 x p2, all entries of Z_k and A normal; W* = diag(1 in the first r
/// places, 0), y = <x, W*> + noise N(0,1), <.,.> the sum of products of entries. The features are the entries row by
/// row, and theta has the shape of a matrix.
struct LowRankRegressionOptions {
  std::int64_t clients = 0;
  std::int64_t samples_per_client = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t rank = 0;
  double shift = 1;
  double noise = 1;
  std::int64_t test_samples_per_client = 0;

  static constexpr std::string_view kind = "low_rank_regression";
  static constexpr std::string_view summary =
      "linear model of a matrix of low rank, features shifted by each client in its own way";
  static void fields(auto& self, auto& field) {
    declare_clients(self, field);
    field("rows", self.rows, "p1, rows of the matrix", at_least(1).required());
    field("columns", self.columns, "p2, columns of the matrix", at_least(1).required());
    field("rank", self.rank, "r, number of ones on the diagonal of the true matrix", at_least(0).required());
    field("shift", self.shift, "standard deviation of the entries of a client's shift", at_least(0));
    field("noise", self.noise, "standard deviation of the noise on the labels", at_least(0));
    declare_test_samples(self, field);
  }
  DataShape shape() const {
    DataShape shape = DataShape::plain(1.0 * clients * samples_per_client, 1.0 * rows * columns);
    shape.coefficients = IterateShape::matrix(rows, columns);
    return shape;
  }
  void check(auto& report) const {
    if (rank > rows || rank > columns) report("rank", "at most as many as rows and as columns", rank);
  }
};

/// Options must be within their limits.
DataSet load(const FederatedRegressionOptions& options, std::uint64_t seed);
DataSet load(const LowRankRegressionOptions& options, std::uint64_t seed);

}  // namespace lagnet
