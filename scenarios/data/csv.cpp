#include "scenarios/data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "scenarios/files/compressed.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/text.hpp"

namespace lagnet {

namespace {
class CsvReader {
 public:
  CsvReader(const CsvOptions& options, const std::string& file) : options_(options), diagnostics_(file) {}

  void read(std::string_view text) {
    if (options_.separator.size() != 1)
      diagnostics_.add(0, "a separator of one character", shown_token(options_.separator));
    diagnostics_.throw_if_any();
    CsvRecords records(text, options_.separator[0], diagnostics_);
    std::vector<std::string> fields;
    bool first = true;
    while (records.next(fields)) {
      if (first && columns(records.line(), fields)) {
        first = false;
        continue;
      }
      first = false;
      read_record(records.line(), fields);
    }
    tell_wrong_fields();
    if (labels_.empty() && !diagnostics_.any()) diagnostics_.add(0, "at least one sample", "none");
    diagnostics_.throw_if_any();
  }

  DataSet data() const {
    const auto samples = static_cast<Index>(labels_.size());
    return {.X = entries_.assemble(samples, width_ - 1, options_.storage, options_.path.generic_string()),
            .y = VectorView(labels_.data(), samples),
            .samples = samples,
            .origin = options_.path.string(),
            .features = feature_names()};
  }

 private:
  /// Fixes the number of columns and which one is the label by the first record; true if that is the header.
  bool columns(Index line, const std::vector<std::string>& fields) {
    width_ = static_cast<Index>(fields.size());
    label_ = options_.label_column.value_or(width_) - 1;
    const bool header =
        options_.header == CsvHeader::present ||
        (options_.header == CsvHeader::automatic &&
         std::none_of(fields.begin(), fields.end(), [](const auto& field) { return looks_numeric(trimmed(field)); }));
    if (width_ < 2)
      diagnostics_.add(line, "at least two columns, a feature and the label" + other_separator(fields.front()),
                       fmt::format("{}", width_));
    if (label_ >= width_) {
      diagnostics_.add(line, fmt::format("a column {} for the label", label_ + 1), fmt::format("{} columns", width_));
    }
    if (options_.label_name) find_label(line, fields, header);
    diagnostics_.throw_if_any();
    wrong_in_column_.assign(fields.size(), 0);
    if (header) names_ = fields;
    return header;
  }

  /// " (\"separator\": \";\" splits this line)" for a line that another usual separator splits.
  static std::string other_separator(const std::string& line) {
    for (const auto& [separator, written] : {std::pair(';', ";"), std::pair('\t', "\\t"), std::pair(',', ",")})
      if (line.find(separator) != std::string::npos)
        return fmt::format(" (\"separator\": \"{}\" splits this line)", written);
    return "";
  }

  void find_label(Index line, const std::vector<std::string>& fields, bool header) {
    const std::string expected =
        fmt::format("a header that names the label column {} once", shown_token(*options_.label_name));
    if (!header) return diagnostics_.add(line, expected, "no header");
    const auto named = [this](const auto& field) { return trimmed(field) == *options_.label_name; };
    const auto times = std::count_if(fields.begin(), fields.end(), named);
    if (times != 1) {
      return diagnostics_.add(
          line, expected,
          fmt::format("it {} times in {}", times, shown_token(fmt::format("{}", fmt::join(fields, ",")))));
    }
    label_ = std::find_if(fields.begin(), fields.end(), named) - fields.begin();
  }

  void read_record(Index line, const std::vector<std::string>& fields) {
    if (static_cast<Index>(fields.size()) != width_) {
      wrong_.push_back({line, whole_record, fmt::format("{} fields", width_), fmt::format("{}", fields.size())});
      return;
    }
    const auto row = static_cast<Index>(labels_.size());
    labels_.push_back(0);
    for (Index column = 0; column < width_; ++column) {
      const std::string_view field = trimmed(fields[static_cast<std::size_t>(column)]);
      double value = 0;
      if (const char* expected = parse_real(field, value)) {
        wrong_.push_back({line, column, fmt::format("{} in column {}", expected, column + 1), shown_token(field)});
        ++wrong_in_column_[static_cast<std::size_t>(column)];
      } else if (column == label_) {
        labels_.back() = value;
      } else {
        entries_.add(row, column - (column > label_ ? 1 : 0), value);
      }
    }
  }

  /// Each of them, but of a column without any number only the first: it holds texts.
  void tell_wrong_fields() {
    for (const WrongField& field : wrong_) {
      if (field.column == whole_record) {
        diagnostics_.add(field.line, field.expected, field.found);
        continue;
      }
      std::size_t& count = wrong_in_column_[static_cast<std::size_t>(field.column)];
      if (count == 0) continue;
      if (count == labels_.size() && count > 1) {
        diagnostics_.add(field.line,
                         fmt::format("numbers in column {}; take a column of texts out of the file, or number them",
                                     name_of(field.column)),
                         fmt::format("none in {} rows, {} in the first", count, field.found));
        count = 0;
        continue;
      }
      diagnostics_.add(field.line, field.expected, field.found);
    }
  }

  std::vector<std::string> feature_names() const {
    std::vector<std::string> names;
    for (std::size_t column = 0; column < names_.size(); ++column)
      if (std::cmp_not_equal(column, label_)) names.emplace_back(trimmed(names_[column]));
    return names;
  }

  /// "3 (city)".
  std::string name_of(Index column) const {
    if (names_.empty()) return std::to_string(column + 1);
    return fmt::format("{} ({})", column + 1, trimmed(names_[static_cast<std::size_t>(column)]));
  }

  static constexpr Index whole_record = -1;
  struct WrongField {
    Index line = 0, column = 0;
    std::string expected, found;
  };

  const CsvOptions& options_;
  DataDiagnostics diagnostics_;
  std::vector<double> labels_;
  MatrixEntries entries_;
  Index width_ = 0;                           // columns, the label's included
  Index label_ = 0;                           // the label's column, from 0
  std::vector<std::string> names_;            // of the columns, if there is a header
  std::vector<WrongField> wrong_;             // in the order of the file
  std::vector<std::size_t> wrong_in_column_;  // how many of them
};
}  // namespace

DataSet load(const CsvOptions& options) {
  CsvReader reader(options, options.path.generic_string());
  reader.read(read_data_file(options.path));
  return reader.data();
}

}  // namespace lagnet
