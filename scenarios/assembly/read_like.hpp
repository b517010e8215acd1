#pragma once

#include <filesystem>
#include <memory>

#include "scenarios/data/columns.hpp"
#include "scenarios/data/data_set.hpp"
#include "scenarios/data/table_survey.hpp"
#include "scenarios/format/kinds/data_kinds.hpp"

namespace lagnet {

/// Reads another file of samples as the source reads its own, with as many features: tables by the names of their
/// columns, where both files have them. `as`: what reading the other one learned, or null. Throws Diagnosed; the source
/// has to have load_other.
DataSet load_like(const Choice<DataFamily>& source, const std::filesystem::path& file, Index features,
                  const ReadAs* as);

/// What the columns of a table hold, whether they can be read or not; nothing for other sources. Throws Diagnosed.
std::optional<TableSurvey> survey_of(const Choice<DataFamily>& source);

}  // namespace lagnet
