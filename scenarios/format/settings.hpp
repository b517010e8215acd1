#pragma once

#include <string>
#include <vector>

#include "scenarios/json/diagnostics.hpp"

/// Settings ("/topology/agents=16") of a command line, each of which must take effect: a setting is a problem if a
/// later one replaces its value, or if every run has another value in its place.
namespace lagnet {

/// Applies all settings to a scenario. Reports those that are wrong, that a later setting replaces, and those of keys
/// that the section sweep sets.
void apply_settings(Json& document, const std::vector<std::string>& settings, Diagnostics& diagnostics);

/// Reports settings of keys that the search of the section tune sets; `document` has the settings.
void check_tune_leaves(const Json& document, const std::vector<std::string>& settings, Diagnostics& diagnostics);

/// The same for the section full.
void check_full_leaves(const Json& document, const std::vector<std::string>& settings, Diagnostics& diagnostics);

}  // namespace lagnet
