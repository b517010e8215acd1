#pragma once

#include <map>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/preprocess.hpp"

namespace lagnet {

/// What each label becomes by the rule of the options, learnt from these samples; empty where labels stay as they are.
/// Throws DataError where the rule does not fit.
std::map<double, double> learn_labels(const DataSet& data, const PreprocessOptions& options);

/// Changes the labels so, and says it in the origin, where that changes anything; the true coefficients are then no
/// longer those of the labels, and dropped. Throws DataError for labels that are not in the map.
void change_labels(DataSet& data, const std::map<double, double>& becomes, const PreprocessOptions& options);

}  // namespace lagnet
