#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/data/csv.hpp"
#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet {

/// The columns of a CSV file by its first record and the options: names, label, ignored columns, recipes.
class CsvColumns {
 public:
  /// `as`: as another file has them, or null.
  CsvColumns(const CsvOptions& options, const ReadAs* as, DataDiagnostics& diagnostics)
      : options_(options), as_(as), diagnostics_(diagnostics) {}

  /// Fixes the columns by the first record; true if that is the header. Throws Diagnosed.
  bool begin(Index line, const std::vector<std::string>& fields);
  std::vector<std::string> names() const;

  bool has_header = false;
  std::vector<SurveyedColumn> all;
  std::vector<Index> features;  // columns, from 0, in the order of the features
  Index label = 0;              // the label's column, from 0

 private:
  bool is_known(const std::string& name) const;
  std::optional<Index> column_of(Index line, std::string_view key, const std::string& name);
  void ignore_columns(Index line);
  void find_label(Index line);
  void find_label_name(Index line, const std::string& name);
  void use_as_label(Index line);
  void give_recipes(Index line);
  void order_features(Index line);

  const CsvOptions& options_;
  const ReadAs* as_;
  DataDiagnostics& diagnostics_;
};

}  // namespace lagnet
