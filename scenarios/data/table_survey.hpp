#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "scenarios/data/columns.hpp"
#include "sim/base/array.hpp"
#include "sim/base/diagnostic.hpp"

namespace lagnet {

enum class ColumnUse { feature, label, ignored };

/// The content of a column of a table.
struct SurveyedColumn {
  Index number = 0;  // from 1
  std::string name;  // in the header; empty without a header
  ColumnUse use = ColumnUse::feature;
  ColumnRecipe recipe = {};
  bool has_recipe = false;
  Index values = 0;  // those that are numbers, by the recipe
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
  double sum = 0;                // of them
  std::vector<double> distinct;  // of them, ascending; no more than few_values and one
  bool counts_rows = true;       // they are 0, 1, 2, .. or 1, 2, 3, ..
  Index missing = 0;
  Index first_missing_line = 0;
  std::map<std::string, Index, std::less<>> texts;  // texts, with the line of the first of each; at most texts_max
  Index texts_count = 0;                            // of all fields with texts

  static constexpr std::size_t few_values = 20, texts_max = 1000;
  /// "3 (city)"
  std::string shown() const;
  /// By which keys of a scenario name it.
  std::string key() const { return name.empty() ? std::to_string(number) : name; }
  bool is_one_hot() const { return recipe.kind() == OneHotRecipe::kind; }
};

/// The content of a table, readable or not.
struct TableSurvey {
  Index samples = 0;
  bool has_header = false;
  std::vector<SurveyedColumn> columns;  // all of them, in the order of the file
  std::vector<std::string> doubts;      // each with the key that settles it
  std::vector<Diagnostic> problems;
  Json proposals = Json::object();  // keys of the section "data" with which the columns can be read
  std::vector<std::string> labels;  // columns that may be the label in place of the last one
};

/// The recipe that makes numbers of a column's texts and missing values; null where nothing fits but to leave it out,
/// and a number where nothing is needed.
Json proposed_recipe(const SurveyedColumn& column);

/// True if these texts are numbers with a comma in place of the point.
bool have_decimal_commas(const SurveyedColumn& column);

}  // namespace lagnet
