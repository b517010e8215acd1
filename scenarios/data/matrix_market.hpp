#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/storage.hpp"

namespace lagnet {

/// A matrix in the Matrix Market exchange format: coordinate or array; real, integer or (coordinate only) pattern;
/// general or symmetric. Labels are in a second file: one number per line, a Matrix Market array of one column or an
/// array of NumPy.
/// (Boisvert, Pozo, Remington, "The Matrix Market exchange formats: initial design", NISTIR 5935, 1996.)
struct MatrixMarketOptions {
  std::filesystem::path path;
  std::filesystem::path labels_path;
  Storage storage = Storage::automatic;

  static constexpr std::string_view kind = "matrix_market";
  static constexpr std::string_view summary = "a Matrix Market file and a file of labels, plain or compressed";
  static void fields(auto& self, auto& field) {
    field("path", self.path, "the matrix file, relative to the scenario file", any_value().required());
    field("labels_path", self.labels_path,
          "the labels: one number per line, a Matrix Market array of one column, or an array of NumPy",
          any_value().required());
    declare_storage(self, field);
  }
};

/// Throws Diagnosed with every problem's line, if a place is given twice, or if labels and rows differ in number.
DataSet load(const MatrixMarketOptions& options);

/// True if the text starts with the banner of the format.
bool is_matrix_market(std::string_view text);
/// The only column of a matrix; `file` is for messages. Throws Diagnosed.
Vector read_market_column(std::string_view text, const std::string& file);

}  // namespace lagnet
