#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/json/diagnostics.hpp"
#include "sim/base/diagnostic.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// Adds what is wrong with the thing at a pointer. `wanted` is what was expected where the diagnostic does not say it.
void add_diagnostic(Diagnostics& diagnostics, const std::string& pointer, const Diagnostic& diagnostic,
                    std::string_view wanted);

/// Runs a step that makes something of a scenario, and turns what it throws (DataError, TopologyError, OptionError,
/// ScenarioError) into problems. Those of a ScenarioError have their pointers already.
template <class Step>
void collect_diagnostics(Diagnostics& diagnostics, const std::string& pointer, const Step& step) {
  try {
    step();
  } catch (const DataError& error) {
    for (const Diagnostic& one : error.diagnostics) add_diagnostic(diagnostics, pointer, one, "data that can be used");
  } catch (const TopologyError& error) {
    for (const Diagnostic& one : error.diagnostics)
      add_diagnostic(diagnostics, pointer, one, "a topology that can be made");
  } catch (const OptionError& error) {
    diagnostics.add(child_pointer(pointer, error.diagnostic.where), error.diagnostic.expected, error.diagnostic.found);
  } catch (const ScenarioError& error) {
    for (const Diagnostic& one : error.diagnostics.list()) diagnostics.add(one.where, one.expected, one.found);
  }
}

/// The problems for which a step throws ScenarioError; none if it succeeds.
template <class Step>
std::vector<Diagnostic> diagnostics_of(const Step& step) {
  try {
    step();
    return {};
  } catch (const ScenarioError& error) {
    return error.diagnostics.list();
  }
}

}  // namespace lagnet
