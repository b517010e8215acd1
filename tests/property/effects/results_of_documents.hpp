#pragma once

#include <string>

#include "scenarios/json/diagnostics.hpp"

/// What a scenario comes to, as a text: equal texts are equal results. All throw Diagnosed if it is refused.
namespace lagnet::test {

/// What a run writes but the scenario itself, with its trace where it is recorded, and how many points there are.
std::string result_of_run(const Json& document);

/// What a search of parameters writes.
std::string result_of_search(const Json& document);

/// What `check` and `report` say of the runs of a sweep, which are made once, by the claims, panels and maps of the
/// scenario.
std::string result_of_presentation(const Json& document);

/// With all defaults.
Json with_defaults(const Json& document);

/// Where files that scenarios name are: edges.csv, later.csv, delays.csv, ..
std::string files_of_scenarios();

}  // namespace lagnet::test
