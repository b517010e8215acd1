#include "scenarios/format/kinds/measure_options.hpp"

#include <algorithm>

namespace lagnet {

bool is_number_range(const Json& value) {
  if (!value.is_object() || value.empty()) return false;
  return std::ranges::all_of(value.items(), [](const auto& end) {
    return (end.key() == "at_least" || end.key() == "at_most") && end.value().is_number();
  });
}

bool MeasureOptions::is_row(const Json& row) {
  if (row.is_null()) return true;
  if (!row.is_object() || row.size() != 1) return false;
  Json level = row.begin().value();
  if (level.is_number()) return true;
  if (level.is_object() && level.contains("of_last")) {
    if (!level["of_last"].is_boolean() && !is_where(level["of_last"])) return false;
    level.erase("of_last");
  }
  return is_number_range(level);
}

bool MeasureOptions::is_where(const Json& where) {
  return where.is_object() && std::ranges::all_of(where.items(), [](const auto& of) { return is_pointer(of.key()); });
}

}  // namespace lagnet
