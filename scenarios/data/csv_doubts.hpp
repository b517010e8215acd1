#pragma once

#include <string>
#include <vector>

#include "scenarios/data/csv.hpp"

namespace lagnet {

/// The first record of a CSV file, be it a header or a sample.
struct FirstRecord {
  Index line = 0;
  std::vector<std::string> fields;
};

/// Adds possible misreadings of the file: a header of numbers, a column that numbers the rows, another label. Proposes
/// the keys that settle them; keys that are set settle their doubts.
void add_doubts(const CsvOptions& options, const FirstRecord& first, TableSurvey& found);

}  // namespace lagnet
