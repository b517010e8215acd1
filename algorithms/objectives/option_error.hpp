#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "sim/base/diagnostic.hpp"

namespace lagnet {

/// An option that cannot be used with this data, problem or topology.
class OptionError : public std::invalid_argument {
 public:
  OptionError(std::string option, std::string expected, std::string found)
      : OptionError(Diagnostic{std::move(option), std::move(expected), std::move(found)}) {}
  explicit OptionError(Diagnostic problem)
      : std::invalid_argument(problem.where + ": expected " + problem.expected + ", found " + problem.found),
        diagnostic(std::move(problem)) {}

  Diagnostic diagnostic;  // `where` is the option's key
};

}  // namespace lagnet
