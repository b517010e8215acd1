#pragma once

#include <string>

namespace lagnet {

/// One thing that is wrong with what a user gave: where it stands, what was expected there, and what was found. All
/// layers use this type, so that no sentence has to be parsed back.
struct Diagnostic {
  std::string where;     // an option, a JSON pointer, or "line 3, column 5" of a file
  std::string expected;  // what should stand there: "an integer at least 1"
  std::string found;     // what stands there; empty if nothing does

  bool operator==(const Diagnostic&) const = default;
};

}  // namespace lagnet
