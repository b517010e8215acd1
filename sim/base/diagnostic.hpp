#pragma once

#include <span>
#include <string>

namespace lagnet {

/// One thing that is wrong with what a user gave: where it stands, what was expected there, and what was found. All
/// layers use this type, so that no sentence has to be parsed back.
struct Diagnostic {
  std::string where;  // an option, a JSON pointer, a file and its line, or "line 3, column 5" of a file; may be empty
  std::string expected;  // what should stand there: "an integer at least 1"; empty where `found` says it all
  std::string found;     // what stands there; empty if nothing does

  bool operator==(const Diagnostic&) const = default;
};

/// "where: expected this, found that", without the parts that are empty.
std::string sentence(const Diagnostic& diagnostic);

/// Their sentences, one a line.
std::string sentences(std::span<const Diagnostic> diagnostics);

}  // namespace lagnet
