#pragma once

#include <string>

#include "scenarios/estimate/estimate.hpp"
#include "scenarios/json/diagnostics.hpp"

/// An estimate as people and programs read it.
namespace lagnet::tools {

/// Monotonic wall-clock seconds, for messages only; never written to results.
double machine_seconds();
/// Those that this process has computed so far, on all cores together, however busy the machine is.
double processor_seconds();

/// A short table, and below it how it was found.
std::string estimate_table(const Estimate& found, const std::string& name, const EstimateOptions& options);

/// One line for the runs about to start; "" if they take less than a minute.
std::string estimate_line(const Estimate& found, const EstimateOptions& options);

Json estimate_json(const Estimate& found, const std::string& name, const EstimateOptions& options);

}  // namespace lagnet::tools
