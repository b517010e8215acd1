#include <fmt/format.h>

#include <map>

#include "checkout_paths.hpp"
#include "scenarios/data/libsvm.hpp"
#include "scenarios/data/preprocess.hpp"
#include "scenarios/files/compressed.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

/// The data kept in the repository. Their bytes are held by SHA256SUMS, checked by a test of its own.
namespace lagnet::data_set_collection_test {
namespace {

const std::filesystem::path folder = std::filesystem::path(LAGNET_SOURCE_DIR) / "scenarios/data/sets";

Index nonzero_count(const DataMatrix& X) {
  if (const auto dense = X.as_dense()) return (dense->array() != 0).count();
  return X.nonzeros();
}

std::string label_text(const Vector& y) {
  std::map<double, int> times;
  for (const double label : y) ++times[label];
  if (times.size() > 10) return fmt::format("{} to {}", y.minCoeff(), y.maxCoeff());
  std::vector<std::string> texts;
  for (const auto& [label, count] : times) texts.push_back(fmt::format("{}: {}", label, count));
  return fmt::format("{}", fmt::join(texts, ", "));
}

TEST_CASE("the README's table matches the data sets") {
  const std::string readme = read_data_file(folder / "README.md");
  struct Case {
    std::string file;
    std::optional<std::int64_t> features;  // where no row has the last feature
  };
  for (const Case& set : std::vector<Case>{{"housing.libsvm", {}},
                                           {"housing_scale.libsvm", {}},
                                           {"heart_scale.libsvm", {}},
                                           {"breast_cancer_scale.libsvm", {}},
                                           {"spambase_scale.libsvm.gz", {}},
                                           {"digits.libsvm.gz", {}},
                                           {"mnist_2500.libsvm.bz2", 784},
                                           {"mushrooms.libsvm.gz", {}},
                                           {"a9a.libsvm.bz2", {}},
                                           {"covtype15k_scale.libsvm.bz2", {}},
                                           {"covtype20k_scale.libsvm.bz2", {}},
                                           {"mnist_t10k.libsvm.bz2", 784},
                                           {"debian_text.libsvm.xz", 38396},
                                           {"rcv1_sample.libsvm.bz2", 47236}}) {
    const DataSet data = load(LibsvmOptions{.path = folder / set.file, .features = set.features});
    const std::string row = fmt::format("| `{}` | {} | {} | {} | {} |", set.file, data.X.rows(), data.X.cols(),
                                        nonzero_count(data.X), label_text(data.y));
    INFO("expected a row that starts with " << row);
    CHECK(readme.find(row) != std::string::npos);
    CHECK(data.X.all_finite());
    const double density =
        static_cast<double>(nonzero_count(data.X)) / static_cast<double>(data.X.rows() * data.X.cols());
    CHECK(data.X.is_sparse() == (density < 0.25));
  }
}

TEST_CASE("housing scaled by minmax is the scaled housing file") {
  const DataSet raw = load(LibsvmOptions{.path = folder / "housing.libsvm"});
  const DataSet scaled = load(LibsvmOptions{.path = folder / "housing_scale.libsvm"});
  const Matrix difference = preprocess(raw, {.scaling = Scaling::minmax}, 1).X.dense() - scaled.X.dense();
  // The file has six significant digits of numbers up to 1: half a unit of the last is 5e-7.
  CHECK(difference.cwiseAbs().maxCoeff() <= 5e-7 * (1 + 1e-9));
  CHECK(raw.y == scaled.y);
}

TEST_CASE("rows that their makers scaled to length 1 have length 1") {
  const DataSet data = load(LibsvmOptions{.path = folder / "rcv1_sample.libsvm.bz2", .features = 47236});
  const DataSet scaled = preprocess(data, {.scaling = Scaling::unit_rows}, 1);
  // Values of at most 1 with seven digits: the length of a row of 78 entries is off by about 3e-8, and so is an entry.
  const auto values = [](const DataSet& set) { return VectorView(set.X.as_sparse()->valuePtr(), set.X.nonzeros()); };
  CHECK((values(scaled) - values(data)).cwiseAbs().maxCoeff() < 1e-7);
}

}  // namespace
}  // namespace lagnet::data_set_collection_test
