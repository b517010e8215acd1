#include "scenarios/compare/tables/amounts.hpp"

#include <fmt/format.h>

#include <string_view>

#include "scenarios/format/result_columns.hpp"

namespace lagnet {

std::string amount_text(double value, const std::string& column) {
  const std::string_view unit = unit_of_column(column);
  if (unit == "s") return short_number(value) + " s";
  if (column == "bytes" || unit == "B" || unit == "bytes") return size_text(value);
  return fmt::format("{} {}", short_number(value), column == "round" ? "rounds" : column);
}

}  // namespace lagnet
