#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/json/diagnostics.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// Adds a problem given as a sentence, "place: expected this, found that" or in other words; `wanted` then says what
/// was expected.
void add_sentence(Problems& problems, const std::string& pointer, const std::string& text, std::string_view wanted);

/// Runs a step that makes something of a scenario, and turns what it throws (DataError, TopologyError, OptionError,
/// ScenarioError) into problems. Those of a ScenarioError have their pointers already.
template <class Step>
void attempt(Problems& problems, const std::string& pointer, const Step& step) {
  try {
    step();
  } catch (const DataError& error) {
    for (const std::string& text : error.problems) add_sentence(problems, pointer, text, "data that can be used");
  } catch (const TopologyError& error) {
    for (const std::string& text : error.problems())
      add_sentence(problems, pointer, text, "a topology that can be made");
  } catch (const OptionError& error) {
    problems.add(child_pointer(pointer, error.diagnostic.where), error.diagnostic.expected, error.diagnostic.found);
  } catch (const ScenarioError& error) {
    for (const ScenarioProblem& problem : error.problems.list())
      problems.add(problem.pointer, problem.expected, problem.found);
  }
}

/// The problems for which a step throws ScenarioError; none if it succeeds.
template <class Step>
std::vector<ScenarioProblem> problems_of(const Step& step) {
  try {
    step();
    return {};
  } catch (const ScenarioError& error) {
    return error.problems.list();
  }
}

}  // namespace lagnet
