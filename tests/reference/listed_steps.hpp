#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "algorithms/federated/bases/coin_method.hpp"
#include "tests/reference/reference_file.hpp"

namespace lagnet::reference {

/// A method whose rounds have as many local steps as a case lists.
template <class Method>
class ListedSteps : public Method {
 public:
  template <class Options>
  ListedSteps(const Options& options, MethodInput given, const Json& steps)
      : Method(options, std::move(given)), steps_(steps.get<std::vector<Index>>()) {}

 private:
  Index local_steps(const Agent&, Round round) const override { return steps_.at(static_cast<std::size_t>(round - 1)); }

  std::vector<Index> steps_;  // by round, from 1
};

}  // namespace lagnet::reference
