#include "scenarios/data/csv.hpp"
#include "scenarios/data/generators/data_shape.hpp"
#include "scenarios/data/generators/federated_classification.hpp"
#include "scenarios/data/generators/federated_regression.hpp"
#include "scenarios/data/generators/gaussian.hpp"
#include "scenarios/data/generators/matrix_completion.hpp"
#include "scenarios/data/generators/rotated.hpp"
#include "scenarios/data/generators/sparse_regression.hpp"
#include "scenarios/data/libsvm.hpp"
#include "scenarios/data/matrix_market.hpp"
#include "scenarios/format/kinds/data_kinds.hpp"

namespace lagnet {

namespace {

template <class Options>
auto data_line() {
  return entry<Options>(
      [](const Options& options, const std::filesystem::path& base, std::uint64_t seed, bool shape_only) {
        if constexpr (requires { shape_of(options); })
          if (shape_only) return shape_of(options);
        return load(options, base, seed);
      });
}

}  // namespace

// One line an entry, which clang-format would fill up.
// clang-format off
const Catalogue<DataSet, const std::filesystem::path&, std::uint64_t, bool>& DataFamily::catalogue() {
  static const Catalogue<DataSet, const std::filesystem::path&, std::uint64_t, bool> all(
      data_line<LibsvmOptions>(),
      data_line<CsvOptions>(),
      data_line<MatrixMarketOptions>(),
      data_line<GaussianRegressionOptions>(),
      data_line<GaussianClassificationOptions>(),
      data_line<RotatedRegressionOptions>(),
      data_line<SparseRegressionOptions>(),
      data_line<FederatedRegressionOptions>(),
      data_line<LowRankRegressionOptions>(),
      data_line<FederatedClassificationOptions>(),
      data_line<MatrixCompletionOptions>());
  return all;
}
// clang-format on

}  // namespace lagnet
