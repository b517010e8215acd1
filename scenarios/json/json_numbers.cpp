#include "scenarios/json/json_numbers.hpp"

#include <cmath>

namespace lagnet {

Json number_or_null(std::optional<double> x) { return x && std::isfinite(*x) ? Json(*x) : Json(nullptr); }

}  // namespace lagnet
