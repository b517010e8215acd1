#include "scenarios/data/csv_doubts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <cmath>

#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/text.hpp"

namespace lagnet {

namespace {

bool is_one_of(const std::string& name, const auto& words) {
  return std::ranges::find(words, boost::algorithm::to_lower_copy(name)) != words.end();
}

/// Names of columns that number the rows: of pandas, of R, and usual ones.
bool is_name_of_index(const std::string& name) {
  constexpr std::array<std::string_view, 8> words{"",    "unnamed: 0", "index",     "id",
                                                  "row", "rownames",   "row.names", "x1"};
  return is_one_of(name, words);
}

bool is_name_of_label(const std::string& name) {
  constexpr std::array<std::string_view, 8> words{"label", "labels",  "target", "y",
                                                  "class", "outcome", "output", "response"};
  return is_one_of(name, words);
}

/// Whether the first record is 0, 1, 2, .. or 1, 2, 3, ..
bool counts_columns(const std::vector<std::string>& fields) {
  double first = 0, value = 0;
  if (fields.size() < 3 || parse_real(trimmed(fields[0]), first) != nullptr || (first != 0 && first != 1)) return false;
  for (std::size_t k = 0; k < fields.size(); ++k)
    if (parse_real(trimmed(fields[k]), value) != nullptr || value != first + static_cast<double>(k)) return false;
  return true;
}

void doubt_header(const CsvOptions& options, const FirstRecord& first, const std::string& file, TableSurvey& found) {
  if (options.header != CsvHeader::automatic || found.has_header) return;
  std::string record;
  for (const std::string& field : first.fields) record += (record.empty() ? "" : ",") + std::string(trimmed(field));
  if (counts_columns(first.fields)) {
    found.proposals["header"] = "present";
    found.doubts.push_back(
        fmt::format("{}:{}: the numbers {} are read as a sample, and look like names of columns: \"header\": "
                    "\"present\" takes them "
                    "so, \"absent\" for a sample",
                    file, first.line, shown_token(record)));
  }
}

void doubt_index(const CsvOptions& options, const std::string& file, TableSurvey& found) {
  const SurveyedColumn& column = found.columns.front();
  if (column.use != ColumnUse::feature || column.has_recipe || found.samples < 3) return;
  const bool counts = column.counts_rows && column.values == found.samples && column.texts_count == 0;
  const bool is_whole = std::trunc(column.sum) == column.sum && column.texts_count == 0;
  const bool has_no_name = found.has_header && column.name.empty();
  const bool is_index = found.has_header ? is_name_of_index(column.name) && (counts || (has_no_name && is_whole))
                                         : options.header == CsvHeader::automatic && counts;
  if (!is_index) return;
  Json& ignored = found.proposals["ignore_columns"];
  if (ignored.is_null()) ignored = Json::array();
  const Json key = column.name.empty() ? Json(column.number) : Json(column.name);
  ignored.push_back(key);
  found.doubts.push_back(
      fmt::format("{}: column {} looks like the rows' own numbers: \"ignore_columns\": [{}] leaves it out, as ask and "
                  "new do, \"columns\": {} keeps it, and without either a run reads it as a feature",
                  file, column.name.empty() ? "1, without a name," : column.shown(), key.dump(),
                  Json{{column.key(), "number"}}.dump()));
}

void doubt_label(const CsvOptions& options, const std::string& file, TableSurvey& found) {
  if (options.label_name || options.label_column || !found.has_header) return;
  const auto label = std::ranges::find(found.columns, ColumnUse::label, &SurveyedColumn::use);
  const bool is_regression = label->distinct.size() > SurveyedColumn::few_values || found.samples < 3;
  if (label == found.columns.end() || is_name_of_label(label->name)) return;
  for (const SurveyedColumn& column : found.columns) {
    if (column.use != ColumnUse::feature) continue;
    const bool has_two_texts = column.values == 0 && column.texts.size() == 2 && !column.has_recipe;
    const bool has_two = column.distinct.size() == 2 && column.texts_count == 0;
    const bool may_be = has_two_texts || is_name_of_label(column.name) ||
                        (has_two && is_regression && !column.has_recipe && column.number == 1);
    if (may_be) found.labels.push_back(column.name);
  }
  for (const std::string& name : found.labels)
    found.doubts.push_back(fmt::format(
        "{}: the label is column {}, the last one, and {} may be: \"label_name\": {} takes that one, {} this one", file,
        label->shown(), shown_token(name), Json(name).dump(), Json(label->name).dump()));
}

}  // namespace

void add_doubts(const CsvOptions& options, const FirstRecord& first, TableSurvey& found) {
  if (found.columns.size() < 2) return;
  const std::string file = options.path.filename().string();  // whose folder is no part of a result
  doubt_header(options, first, file, found);
  doubt_index(options, file, found);
  doubt_label(options, file, found);
}

}  // namespace lagnet
