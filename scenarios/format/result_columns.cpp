#include "scenarios/format/result_columns.hpp"

#include <algorithm>

namespace lagnet {

bool is_common_column(std::string_view name) {
  const auto is_named = [name](const auto& columns) {
    return std::ranges::find(columns, name, &ResultColumn::name) != columns.end();
  };
  return is_named(columns_before_metrics) || is_named(columns_after_metrics);
}

bool is_column_of_sweeps(std::string_view name) {
  return name == "point" || name == "stop" || name == "trace_hash" || name.starts_with('/');
}

}  // namespace lagnet
