#pragma once

#include <optional>
#include <string>

#include "scenarios/json/diagnostics.hpp"

/// Numbers as JSON has them: it knows neither nan nor inf.
namespace lagnet {

/// A cell of a table as a JSON number; null for an empty one and for nan and inf.
Json number_of_cell(const std::string& cell);
/// A number as JSON; null for none, and for nan and inf.
Json number_or_null(std::optional<double> x);

}  // namespace lagnet
