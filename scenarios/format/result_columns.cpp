#include "scenarios/format/result_columns.hpp"

#include <algorithm>

namespace lagnet {

bool is_common_column(std::string_view name) {
  return std::ranges::find(columns_before_metrics, name) != columns_before_metrics.end() ||
         std::ranges::find(columns_after_metrics, name) != columns_after_metrics.end();
}

bool is_column_of_sweeps(std::string_view name) {
  return name == "point" || name == "stop" || name == "trace_hash" || name.starts_with('/');
}

}  // namespace lagnet
