#pragma once

#include <string>

#include "scenarios/assembly/assemble.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet {

/// What a scenario is made of, with a cache of its own.
inline Experiment assembled(const ScenarioFile& file) {
  ExperimentCache cache;
  return assemble(read_scenario(file), file.shown, cache);
}
/// The same of the small scenario with these changes.
inline Experiment assembled(const std::string& changes) { return assembled(small_scenario(changes)); }

}  // namespace lagnet
