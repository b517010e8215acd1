#pragma once

#include <string>
#include <vector>

#include "scenarios/assembly/experiment.hpp"

namespace lagnet {

/// Warns if arrays of more than 64 MiB, which are used where they lie, are copied nevertheless, and says why.
void warn_of_copied_arrays(const Experiment& made, std::vector<std::string>& warnings);

}  // namespace lagnet
