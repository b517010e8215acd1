#pragma once

#include <functional>
#include <map>
#include <string>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/preprocess.hpp"

namespace lagnet {

/// The new value of each label by the rule of the options, learned from these samples; empty if labels stay as they
/// are. Throws Diagnosed where the rule does not fit.
std::map<double, double> learn_labels(const DataSet& data, const PreprocessOptions& options);

/// Changes the labels accordingly. If that changes anything, it notes it in the origin and drops the true coefficients,
/// which no longer belong to the labels. Throws Diagnosed for labels that are not in the map.
void change_labels(DataSet& data, const std::map<double, double>& becomes, const PreprocessOptions& options);

/// The rule that turns these labels into those of a loss that refused one of them: "; /data/labels=sign maps 1 and 2 to
/// -1 and +1"; "" if no rule does.
std::string label_hint(const Vector& labels, const std::function<bool(double)>& is_taken);

}  // namespace lagnet
