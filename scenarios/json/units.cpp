#include "scenarios/json/units.hpp"

#include <fmt/format.h>

#include <cctype>

#include "scenarios/json/quantities.hpp"

namespace lagnet {

/// For a text at a pointer that ends in _column, the hint is the key for names of columns.
std::string unit_hint(std::string_view pointer, std::string_view text) {
  const std::string_view key = pointer.substr(pointer.rfind('/') + 1);
  constexpr std::string_view column = "_column";
  if (key.ends_with(column))
    return fmt::format(" (the name of a column belongs to {}_name)", key.substr(0, key.size() - column.size()));
  const auto number = number_with_unit(key, text);
  if (!number || !std::isalpha(static_cast<unsigned char>(text.back()))) return "";
  return fmt::format(" (write {:.15g}: {} is in {})", *number, key, unit_of_key(key));
}

}  // namespace lagnet
