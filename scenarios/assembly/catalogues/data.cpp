#include "scenarios/data/arrays.hpp"
#include "scenarios/data/csv.hpp"
#include "scenarios/data/generators/federated_classification.hpp"
#include "scenarios/data/generators/federated_regression.hpp"
#include "scenarios/data/generators/gaussian.hpp"
#include "scenarios/data/generators/matrix_completion.hpp"
#include "scenarios/data/generators/rotated.hpp"
#include "scenarios/data/generators/sparse_classification.hpp"
#include "scenarios/data/generators/sparse_regression.hpp"
#include "scenarios/data/libsvm.hpp"
#include "scenarios/data/matrix_market.hpp"
#include "scenarios/data/npy.hpp"
#include "scenarios/data/quadratics.hpp"
#include "scenarios/format/kinds/data_kinds.hpp"

namespace lagnet {

namespace {

template <class Options>
auto generator_line() {
  return entry<Options>([](const Options& options) {
    return DataSource{.shape = options.shape(), .load = [options](std::uint64_t seed, bool timing_only) {
                        return timing_only ? without_numbers(Options::kind, options.shape()) : load(options, seed);
                      }};
  });
}

/// The places of observed entries matter to flops and partitions, so that they are drawn in any run.
auto matrix_completion_line() {
  return entry<MatrixCompletionOptions>([](const MatrixCompletionOptions& options) {
    return DataSource{.shape = options.shape(),
                      .load = [options](std::uint64_t seed, bool) { return load(options, seed); }};
  });
}

/// The options for another file that is read in the same way.
LibsvmOptions like(LibsvmOptions options, const std::filesystem::path& file, Index features) {
  options.path = file;
  options.features = features;
  return options;
}

CsvOptions like(CsvOptions options, const std::filesystem::path& file, Index) {
  options.path = file;
  return options;
}

/// A file of samples with their labels.
template <class Options>
auto samples_file_line() {
  return entry<Options>([](const Options& options) {
    return DataSource{.file = options.path,
                      .load = [options](std::uint64_t, bool) { return load(options); },
                      .load_other = [options](const std::filesystem::path& file,
                                              Index features) { return load(like(options, file, features)); }};
  });
}

/// A file of samples whose labels may be in another one.
template <class Options>
auto matrix_file_line() {
  return entry<Options>([](const Options& options) {
    return DataSource{.file = options.path, .load = [options](std::uint64_t, bool) { return load(options); }};
  });
}

auto arrays_line() {
  return entry<ArraysOptions>([](const ArraysOptions& options) {
    return DataSource{.load = [options](std::uint64_t, bool) { return load(options); }};
  });
}

}  // namespace

// One line an entry, which clang-format would fill up.
// clang-format off
const Catalogue<DataSource>& DataFamily::catalogue() {
  static const Catalogue<DataSource> all(
      samples_file_line<LibsvmOptions>(),
      samples_file_line<CsvOptions>(),
      matrix_file_line<MatrixMarketOptions>(),
      matrix_file_line<NpyOptions>(),
      matrix_file_line<QuadraticsOptions>(),
      arrays_line(),
      generator_line<GaussianRegressionOptions>(),
      generator_line<GaussianClassificationOptions>(),
      generator_line<SparseClassificationOptions>(),
      generator_line<RotatedRegressionOptions>(),
      generator_line<SparseRegressionOptions>(),
      generator_line<FederatedRegressionOptions>(),
      generator_line<LowRankRegressionOptions>(),
      generator_line<FederatedClassificationOptions>(),
      matrix_completion_line());
  return all;
}
// clang-format on

}  // namespace lagnet
