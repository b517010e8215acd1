#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/data/data_set.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// The scalings of the columns or rows of X. A column without variance becomes zero if the scaling centers, and zero
/// columns and rows stay zero: nothing is divided by zero.
enum class Scaling {
  none,
  standardize,  // columns to mean 0 and variance 1 (of the n samples, not n-1); the result is dense
  minmax,       // columns to [-1, 1], affinely, as `svm-scale -l -1 -u 1`; the result is dense
  unit_rows,    // rows to Euclidean length 1
  max_abs       // columns divided by their largest absolute value
};
constexpr auto spellings(Scaling) {
  return std::array{Spelling{Scaling::none, "none"}, Spelling{Scaling::standardize, "standardize"},
                    Spelling{Scaling::minmax, "minmax"}, Spelling{Scaling::unit_rows, "unit_rows"},
                    Spelling{Scaling::max_abs, "max_abs"}};
}

enum class LabelRule { as_is, sign, classes, map };
constexpr auto spellings(LabelRule) {
  return std::array{Spelling{LabelRule::as_is, "as_is"}, Spelling{LabelRule::sign, "sign"},
                    Spelling{LabelRule::classes, "classes"}, Spelling{LabelRule::map, "map"}};
}

enum class RowChoice { first, random };
constexpr auto spellings(RowChoice) {
  return std::array{Spelling{RowChoice::first, "first"}, Spelling{RowChoice::random, "random"}};
}

struct LabelPair {
  double from = 0;
  double to = 0;
  static void fields(auto& self, auto& field) {
    field("from", self.from, "a label of the data", any_value().required());
    field("to", self.to, "the new label", any_value().required());
  }
};

/// Steps between reading and use, in this order: labels, max_samples, the test set, scaling, factor, center_labels or
/// standardize_labels, intercept. A step learns only from samples that are not for tests.
struct PreprocessOptions {
  LabelRule labels = LabelRule::as_is;
  std::vector<LabelPair> label_map;
  std::optional<std::int64_t> max_samples;
  RowChoice choose_samples = RowChoice::first;
  std::optional<double> test_fraction;
  std::optional<std::int64_t> test_samples;
  std::optional<std::filesystem::path> test_path;
  Scaling scaling = Scaling::none;
  double factor = 1;
  bool center_labels = false;
  bool standardize_labels = false;
  bool intercept = false;
  double intercept_value = 1;

  static void fields(auto& self, auto& field) {
    field(
        "labels", self.labels,
        "as_is; sign: of exactly two labels the smaller becomes -1 and the larger +1; classes: in ascending order they "
        "become 0, 1, 2, ..; map: by label_map");
    field("label_map", self.label_map, "with labels map: one pair for every label that occurs");
    field("max_samples", self.max_samples, "keep at most this many rows", at_least(1));
    field("choose_samples", self.choose_samples, "which rows max_samples keeps, in the order of the file");
    field("test_fraction", self.test_fraction, "share of the rows, drawn at random, that is kept for tests: 0.2",
          between(0, 1));
    field("test_samples", self.test_samples, "number of rows, drawn at random, that are kept for tests", at_least(1));
    field("test_path", self.test_path,
          "a file of the same kind with rows for tests, read in the same way, relative to the scenario file");
    field("scaling", self.scaling, "scaling of columns (standardize, minmax, max_abs) or rows (unit_rows)");
    field("factor", self.factor, "factor that X is multiplied by, after the scaling", above(0));
    field("center_labels", self.center_labels, "subtract the mean of the labels");
    field("standardize_labels", self.standardize_labels, "scale the labels to mean 0 and variance 1");
    field("intercept", self.intercept, "add a last column of ones");
    field("intercept_value", self.intercept_value,
          "value in that column instead of 1; a larger one weakens the regularizer on it: 10", above(0));
  }
  void check(auto& report) const {
    if (test_fraction.has_value() + test_samples.has_value() + test_path.has_value() > 1)
      report("", "at most one of test_fraction, test_samples and test_path", "more");
    if (center_labels && standardize_labels)
      report("standardize_labels", "false with center_labels, which is part of it", standardize_labels);
    if (!intercept && intercept_value != 1) report("intercept_value", "1 without an intercept", intercept_value);
    if ((labels == LabelRule::map) == label_map.empty()) {
      report("label_map", "pairs if and only if labels is map", static_cast<std::int64_t>(label_map.size()));
    }
    for (std::size_t i = 0; i < label_map.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (label_map[i].from == label_map[j].from) report("label_map", "every label once in from", label_map[i].from);
      }
    }
  }
};

/// Does all steps and notes those that change the data in the origin. The true coefficients are adjusted to a factor,
/// max_abs and the intercept (with a zero), and dropped if they no longer give the labels. A test set that comes with
/// the data goes through the same steps; test_path is for the reader of data. Draws rows for choose_samples random and
/// for test rows. Throws Diagnosed for labels that do not fit the rule, for test rows that leave nothing or come twice,
/// for a matrix-shaped theta with an intercept, for data whose rows are not samples (DataSet::samples above the rows)
/// under any step but factor, and for a dense result of more than 2^28 entries made of sparse data. Of data without
/// numbers only the shape is computed.
DataSet preprocess(DataSet data, const PreprocessOptions& options, std::uint64_t seed);

}  // namespace lagnet
