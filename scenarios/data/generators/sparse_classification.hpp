#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/generators/data_shape.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// Rows of few entries, like texts: each row has `nonzeros_per_sample` of them, N(0,1), in columns that are drawn
/// without replacement, column j with a probability proportional to (j + 1)^-popularity, as words follow Zipf's law.
/// The labels are sign(x'theta + noise N(0,1)), theta N(0, I), each flipped with a probability. A row depends on its
/// number and the seed only.
struct SparseClassificationOptions {
  std::int64_t samples = 0;
  std::int64_t features = 0;
  std::int64_t nonzeros_per_sample = 0;
  double popularity = 0;
  double noise = 1;
  double label_flip_probability = 0;

  static constexpr std::string_view kind = "sparse_classification";
  static constexpr std::string_view summary = "rows of few entries in two classes, columns as popular as words";
  static void fields(auto& self, auto& field) {
    field("samples", self.samples, "number of rows n", within(1, 1e9).required());
    field("features", self.features, "number of columns d", within(1, 1e9).required());
    field("nonzeros_per_sample", self.nonzeros_per_sample, "entries of a row that are not zero",
          within(1, 1e9).required());
    field("popularity", self.popularity,
          "exponent s of Zipf's law: column j is drawn with a probability proportional to (j + 1)^-s; 0: all alike",
          within(0, 4));
    field("noise", self.noise, "standard deviation of the noise before the sign is taken", at_least(0));
    field("label_flip_probability", self.label_flip_probability, "probability that a label is flipped", within(0, 1));
  }
  DataShape shape() const {
    DataShape shape = DataShape::plain(static_cast<double>(samples), static_cast<double>(features));
    shape.entries = 1.0 * samples * nonzeros_per_sample;
    return shape;
  }
  void check(auto& report) const {
    const bool zipf = popularity > 0;
    if (nonzeros_per_sample > (zipf ? features / 2 : features))
      report("nonzeros_per_sample",
             zipf ? "at most half of the features, where some are more popular" : "at most as many as features",
             nonzeros_per_sample);
  }
};

/// Options must be within their limits. The matrix is stored sparse below a quarter of non-zeros.
DataSet load(const SparseClassificationOptions& options, std::uint64_t seed);

}  // namespace lagnet
