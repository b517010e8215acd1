#include "algorithms/objectives/option_error.hpp"

namespace lagnet {

OptionError::OptionError(std::string option, std::string expected, std::string found)
    : OptionError(Diagnostic{std::move(option), std::move(expected), std::move(found)}) {}

OptionError::OptionError(Diagnostic problem)
    : std::invalid_argument(problem.where + ": expected " + problem.expected + ", found " + problem.found),
      diagnostic(std::move(problem)) {}

}  // namespace lagnet
