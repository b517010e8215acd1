#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/data/columns.hpp"
#include "scenarios/data/data_set.hpp"
#include "scenarios/data/storage.hpp"
#include "scenarios/data/table_survey.hpp"

namespace lagnet {

/// Whether the first record of a CSV file names the columns.
enum class CsvHeader { automatic, present, absent };
constexpr auto spellings(CsvHeader) {
  return std::array{Spelling{CsvHeader::automatic, "auto"}, Spelling{CsvHeader::present, "present"},
                    Spelling{CsvHeader::absent, "absent"}};
}

enum class DecimalMark { point, comma };
constexpr auto spellings(DecimalMark) {
  return std::array{Spelling{DecimalMark::point, "point"}, Spelling{DecimalMark::comma, "comma"}};
}

/// Comma-separated values after RFC 4180: quoted fields may hold separators, line ends and doubled quotes. A field is a
/// finite number, or a value of the column's recipe. Blank lines are skipped, and so is a first line "sep=;" of Excel,
/// which names the separator.
struct CsvOptions {
  std::filesystem::path path;
  std::string separator = ",";
  DecimalMark decimal = DecimalMark::point;
  CsvHeader header = CsvHeader::automatic;
  std::optional<std::string> label_name;
  std::optional<std::int64_t> label_column;
  std::vector<ColumnName> ignore_columns;
  ColumnRecipes columns;
  Storage storage = Storage::automatic;

  static constexpr std::string_view kind = "csv";
  static constexpr std::string_view summary = "comma-separated values, plain or compressed (gzip, bzip2, xz)";
  static void fields(auto& self, auto& field) {
    field("path", self.path, "the file, relative to the scenario file", any_value().required());
    field("separator", self.separator,
          "the one character between fields, or its name: comma, semicolon, tab; space is any number of blanks");
    field("decimal", self.decimal, "decimal mark of numbers: point, or comma as in 3,14");
    field("header", self.header, "whether the first record names the columns; auto: it does if no field is a number");
    field("label_name", self.label_name, "name of the label's column in the header");
    field("label_column", self.label_column, "the label's column, counted from 1; by default the last one",
          at_least(1));
    field("ignore_columns", self.ignore_columns, "columns to leave out, by name or number from 1: [\"id\", 7]");
    field("columns", self.columns,
          "how texts and missing values of a column become numbers, by its name or number: {\"city\": \"one_hot\", "
          "\"opened\": \"date\", \"rooms\": {\"missing\": \"mean\"}, \"garden\": {\"yes\": 1, \"no\": 0}}; "
          "`lagnet describe one_hot` and date, map, number have their keys, `lagnet data FILE` proposes recipes");
    declare_storage(self, field);
  }
  /// The separator as a character; 0 if it is invalid.
  char separator_character() const;
  void check(auto& report) const {
    const char character = separator_character();
    if (character == 0 || character == '"' || character == '\n' || character == '\r')
      report("separator", "one character, not a quote or a line end, or one of comma, semicolon, tab, space",
             separator);
    if (decimal == DecimalMark::comma && character == ',')
      report("separator", "another separator than the comma, which is the decimal mark", separator);
    if (label_name && label_column) {
      report("label_name", "at most one of label_name and label_column", *label_name);
    }
  }
};

/// `as`: reads the columns that another file had, by their names, with what was learned there. Throws Diagnosed with
/// every problem's line.
DataSet load(const CsvOptions& options, const ReadAs* as = nullptr);

/// What the file holds. Throws Diagnosed if it cannot be read at all.
TableSurvey survey(const CsvOptions& options);

}  // namespace lagnet
