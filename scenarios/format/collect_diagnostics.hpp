#pragma once

#include <string>
#include <vector>

#include "scenarios/json/diagnostics.hpp"
#include "sim/base/diagnostic.hpp"

namespace lagnet {

/// Adds what is wrong with the thing at a pointer.
void add_diagnostic(Diagnostics& diagnostics, const std::string& pointer, const Diagnostic& diagnostic);

/// Runs a step that makes something of a scenario, and turns what it throws into problems at the pointer; those that
/// have a pointer keep theirs.
template <class Step>
void collect_diagnostics(Diagnostics& diagnostics, const std::string& pointer, const Step& step) {
  try {
    step();
  } catch (const Diagnosed& error) {
    for (const Diagnostic& one : error.diagnostics) add_diagnostic(diagnostics, pointer, one);
  }
}

/// The problems for which a step throws Diagnosed; none if it succeeds.
template <class Step>
std::vector<Diagnostic> diagnostics_of(const Step& step) {
  try {
    step();
    return {};
  } catch (const Diagnosed& error) {
    return error.diagnostics;
  }
}

}  // namespace lagnet
