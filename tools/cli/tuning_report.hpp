#pragma once

#include <string>

#include "scenarios/json/diagnostics.hpp"

namespace lagnet::tools {

/// The output of `lagnet tune` from the facts in tune.json: the chosen candidate and the reason, and the costs of the
/// other values, in the order of the values of the first parameter. `out` is the folder of the results, and `replaces`
/// whether there were others before. "" where none can be chosen.
std::string tuning_report(const Json& facts, const std::string& out, bool replaces);

}  // namespace lagnet::tools
