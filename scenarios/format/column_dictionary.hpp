#pragma once

#include <string_view>
#include <vector>

#include "scenarios/format/result_columns.hpp"

/// Every table that lagnet writes, with all of its columns, for `lagnet describe` and the documentation. Methods and
/// metrics whose values go into progress.csv have a line here for each. The formulas' symbols: m agents, n samples
/// (x_i, y_i), theta the iterate and theta_i that of agent i, theta* the coefficients that made the data, theta^ the
/// central optimum, F the objective and F* its least value.
namespace lagnet {

struct TableText {
  std::string_view name;     // of a file, or of what prints it: "compare --table verdict"
  std::string_view meaning;  // the meaning of a row, and other columns
  std::string_view page;     // of the documentation
  std::vector<ColumnText> columns;
  std::string_view with = "";  // the table whose columns it has, too
};

const std::vector<TableText>& table_texts();

/// A column, and the tables that have it with this meaning.
struct ColumnPlaces {
  const ColumnText* column = nullptr;
  std::vector<const TableText*> tables;
};

/// All columns, in the order of the tables.
std::vector<ColumnPlaces> all_columns();

/// Whether a name is the name of a column, or matches its *.
bool is_called(const ColumnText& column, std::string_view name);

/// Whether sweep.csv has, or may have, a column of that name that progress.csv has not: a pointer names a swept value.
bool is_column_of_sweeps(std::string_view name);

}  // namespace lagnet
