#include "scenarios/data/generators/sparse_classification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "scenarios/data/generators/gaussian.hpp"
#include "scenarios/data/storage.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

namespace {

constexpr Purpose purpose_rows_of_few{"data.rows_of_few"}, purpose_noise_of_few{"data.noise"},
    purpose_flips_of_few{"data.flips"};

/// The columns of rows, by Zipf's law.
class Columns {
 public:
  Columns(Index features, double popularity) : features_(features) {
    if (popularity == 0) return;
    double sum = 0;
    for (Index j = 0; j < features; ++j) up_to_.push_back(sum += std::pow(static_cast<double>(j + 1), -popularity));
  }
  /// So many of them, ascending.
  std::vector<Index> drawn(std::int64_t count, Draws& draws) const {
    std::vector<Index> columns;
    if (up_to_.empty()) {
      const auto distinct = draws.distinct(static_cast<std::uint32_t>(features_), static_cast<std::uint32_t>(count));
      columns.assign(distinct.begin(), distinct.end());
    } else {
      std::set<Index> taken;  // a column that was drawn before is drawn again
      while (std::ssize(taken) < count) {
        const auto place = std::ranges::upper_bound(up_to_, draws.uniform() * up_to_.back());
        taken.insert(std::min<Index>(place - up_to_.begin(), features_ - 1));
      }
      columns.assign(taken.begin(), taken.end());
    }
    std::ranges::sort(columns);
    return columns;
  }

 private:
  Index features_;
  std::vector<double> up_to_;  // sums of the weights; none: all are alike
};

}  // namespace

DataSet load(const SparseClassificationOptions& options, std::uint64_t seed) {
  const Vector theta = gaussian_truth(options.features, std::nullopt, seed);
  const Columns columns(options.features, options.popularity);
  MatrixEntries entries;
  Vector y = Vector::Zero(options.samples);
  for (Index i = 0; i < options.samples; ++i) {
    Draws draws(seed, purpose_rows_of_few, static_cast<AgentId>(i));
    for (const Index j : columns.drawn(options.nonzeros_per_sample, draws)) {
      const double x = draws.normal();
      entries.add(i, j, x);
      y[i] += x * theta[j];
    }
  }
  Draws noise(seed, purpose_noise_of_few), flips(seed, purpose_flips_of_few);
  for (double& value : y) {
    const bool positive = value + options.noise * noise.normal() >= 0;
    value = positive != flips.bernoulli(options.label_flip_probability) ? 1 : -1;
  }
  return {.X = entries.assemble(options.samples, options.features, Storage::automatic, std::string(options.kind)),
          .y = std::move(y),
          .samples = options.samples,
          .truth = theta,
          .origin = fmt::format("{}, {} x {}, {} a row, seed {}", options.kind, options.samples, options.features,
                                options.nonzeros_per_sample, seed)};
}

}  // namespace lagnet
