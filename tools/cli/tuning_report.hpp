#pragma once

#include <string>

#include "scenarios/json/diagnostics.hpp"

namespace lagnet::tools {

/// What `lagnet tune` says at the end, of the facts in tune.json: which candidate was chosen and why, and what the
/// values of the others cost, in the order of the values of the first parameter. `out` is the folder of the results,
/// and `replaces` whether there were others before. "" where none can be chosen.
std::string tuning_report(const Json& facts, const std::string& out, bool replaces);

}  // namespace lagnet::tools
