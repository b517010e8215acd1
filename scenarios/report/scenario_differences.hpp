#pragma once

#include <vector>

#include "scenarios/json/diagnostics.hpp"

namespace lagnet {

/// The values that differ between the documents: [{"pointer": "/topology/kind", "values": ["ring", "star"]}, ..], in
/// the order in which the documents have them. An object or list that only some have is not taken apart; a value that
/// is missing is "(none)", texts are as they are, and all else is compact JSON.
Json scenario_differences(const std::vector<const Json*>& documents);

}  // namespace lagnet
