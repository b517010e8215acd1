#pragma once

#include <limits>
#include <string>
#include <vector>

#include "scenarios/json/diagnostics.hpp"
#include "sim/base/array.hpp"

/// What would be read of a file with samples.
namespace lagnet::tools {

struct PreviewedColumn {
  std::string name;  // its number if it has no name
  std::string use;   // "feature", "label" or "ignored"
  std::string recipe = "number";
  double least = std::numeric_limits<double>::infinity(),
         most = -std::numeric_limits<double>::infinity();  // of numbers
  Index missing = 0;
  std::vector<std::string> texts;  // that become numbers
  Index texts_count = 0;           // of all different ones
};

struct DataPreview {
  Index samples = 0, features = 0;
  std::string label;             // "price (last column)"
  std::string labels;            // "57 different labels: numbers"
  std::vector<double> distinct;  // labels, if they are few
  std::vector<PreviewedColumn> columns;
  std::vector<std::string> doubts;
  std::vector<Diagnostic> problems;  // that no recipe mends
  Json proposals;                    // keys that were added to those that were typed, so that it can be read
  Json section;                      // "data" of a scenario, with which it is read
};

/// Of a file as it is typed behind --data, words apart by line ends, and of --label. Throws Diagnosed.
DataPreview preview_data(const std::string& typed, const std::string& label);

}  // namespace lagnet::tools
