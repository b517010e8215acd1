#pragma once

#include <string>
#include <vector>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/data/data_set.hpp"
#include "scenarios/format/scenario.hpp"

namespace lagnet {

/// Whether a run needs only the size of its data: a run without numbers, unless cells are partitioned or rows are
/// sparse, since entries then decide computations and messages.
bool needs_shape_alone(const Scenario& scenario);

/// The data of a scenario, read or made, with their test set, and preprocessed. Throws Diagnosed, also
/// where data.test_path does not go with the source.
DataSet load_data(const Scenario& scenario);

/// Warns if arrays of more than 64 MiB, which are used where they lie, are copied nevertheless, and says why.
void warn_of_copied_arrays(const Experiment& made, Remarks& warnings);

}  // namespace lagnet
