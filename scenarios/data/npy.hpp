#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/storage.hpp"

namespace lagnet {

/// An array of NumPy (numpy.save), one sample a row: real numbers, integers or booleans of any size and byte order, row
/// by row or column by column. Labels are in a second file, or in a column of the same one. (NumPy Enhancement Proposal
/// 1, "A simple file format for NumPy arrays", versions 1 to 3.)
struct NpyOptions {
  std::filesystem::path path;
  std::optional<std::filesystem::path> labels_path;
  std::optional<std::int64_t> label_column;
  Storage storage = Storage::automatic;

  static constexpr std::string_view kind = "npy";
  static constexpr std::string_view summary =
      "an array of NumPy, plain or compressed, with labels in it or in a second file";
  static void fields(auto& self, auto& field) {
    field("path", self.path, "the file of the array (samples, features), relative to the scenario file",
          any_value().required());
    field("labels_path", self.labels_path,
          "the labels (samples,): an array of NumPy, one number per line, or a Matrix Market array of one column");
    field("label_column", self.label_column,
          "without labels_path: the column of the array that has the labels, counted from 1; by default the last one",
          at_least(1));
    declare_storage(self, field);
  }
  void check(auto& report) const {
    if (labels_path && label_column) report("label_column", "no label_column beside labels_path", *label_column);
  }
};

/// The array of a file, a single column if it has one dimension. Throws Diagnosed for what is not finite, and for
/// numbers that no double holds.
Matrix read_npy(const std::string& bytes, const std::string& file);
bool is_npy(std::string_view bytes);

DataSet load(const NpyOptions& options);

}  // namespace lagnet
