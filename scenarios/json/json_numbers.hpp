#pragma once

#include <optional>

#include "scenarios/json/diagnostics.hpp"

/// Numbers as JSON has them: it knows neither nan nor inf.
namespace lagnet {

/// A number as JSON; null for none, and for nan and inf.
Json number_or_null(std::optional<double> x);

}  // namespace lagnet
