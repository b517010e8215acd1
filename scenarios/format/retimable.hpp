#pragma once

#include <string>
#include <vector>

#include "scenarios/format/features.hpp"
#include "scenarios/format/scenario.hpp"

/// Synchronous methods compute the same values under any network: when messages come decides when an agent computes,
/// and not what. A run of such a scenario can be given the times of another network without its numbers.
namespace lagnet {

/// What could make the values of the scenario's runs depend on time, each with its key: "participation.deadline_ms: who
/// answers before the deadline is a matter of time". None if they do not.
std::vector<std::string> why_not_retimable(const Scenario& scenario);

/// The part of them that options declare (scenarios/format/features.hpp).
std::vector<std::string> why_values_depend_on_time(const SetFeatures& features);

/// The scenario without what decides about time and size alone (network and compute), about files beside progress.csv,
/// and about presentation: equal for retimable scenarios whose runs have the same values.
Json what_decides_values(const Scenario& scenario);

}  // namespace lagnet
