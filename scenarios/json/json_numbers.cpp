#include "scenarios/json/json_numbers.hpp"

#include <cmath>

namespace lagnet {

Json number_of_cell(const std::string& cell) {
  Json number = Json::parse(cell, nullptr, false);
  return number.is_discarded() ? Json(nullptr) : number;
}

Json number_or_null(std::optional<double> x) { return x && std::isfinite(*x) ? Json(*x) : Json(nullptr); }

}  // namespace lagnet
