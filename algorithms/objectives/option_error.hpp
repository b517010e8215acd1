#pragma once

#include <stdexcept>
#include <string>

#include "sim/base/diagnostic.hpp"

namespace lagnet {

/// An option that cannot be used with this data, problem or topology.
class OptionError : public std::invalid_argument {
 public:
  OptionError(std::string option, std::string expected, std::string found);
  explicit OptionError(Diagnostic problem);

  Diagnostic diagnostic;  // `where` is the option's key
};

}  // namespace lagnet
