#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/storage.hpp"

namespace lagnet {

/// Whether the first record of a CSV file names the columns.
enum class CsvHeader { automatic, present, absent };
constexpr auto spellings(CsvHeader) {
  return std::array{Spelling{CsvHeader::automatic, "auto"}, Spelling{CsvHeader::present, "present"},
                    Spelling{CsvHeader::absent, "absent"}};
}

/// Comma-separated values after RFC 4180: quoted fields may hold separators, line ends and doubled quotes. Every field
/// but the header's must be a finite number; an empty field is an error, never a zero. Blank lines are skipped.
struct CsvOptions {
  std::filesystem::path path;
  std::string separator = ",";
  CsvHeader header = CsvHeader::automatic;
  std::optional<std::string> label_name;
  std::optional<std::int64_t> label_column;
  Storage storage = Storage::automatic;

  static constexpr std::string_view kind = "csv";
  static constexpr std::string_view summary = "comma-separated values, plain or compressed (gzip, bzip2, xz)";
  static void fields(auto& self, auto& field) {
    field("path", self.path, "the file, relative to the scenario file", any_value().required());
    field("separator", self.separator, "the one character between fields");
    field("header", self.header, "whether the first record names the columns; auto: it does if no field is a number");
    field("label_name", self.label_name, "name of the label's column in the header");
    field("label_column", self.label_column, "the label's column, counted from 1; by default the last one",
          at_least(1));
    declare_storage(self, field);
  }
  void check(auto& report) const {
    if (separator.size() != 1 || separator == "\"" || separator == "\n" || separator == "\r") {
      report("separator", "one character, not a quote or a line end", separator);
    }
    if (label_name && label_column) {
      report("label_name", "at most one of label_name and label_column", *label_name);
    }
  }
};

/// Throws DataError with every problem's line.
DataSet load(const CsvOptions& options);

}  // namespace lagnet
