#pragma once

#include "scenarios/format/scenario.hpp"

namespace lagnet {

/// Reports keys with a value other than their default that has no effect beside the other values: another key decides
/// whether they are read.
void check_idle_keys(const Scenario& scenario, Diagnostics& diagnostics);

}  // namespace lagnet
