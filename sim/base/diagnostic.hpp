#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lagnet {

/// One problem in a user's input: its place, what was expected there, and what was found. All layers use this type, so
/// that no sentence has to be parsed.
struct Diagnostic {
  /// What `where` is: a place in words, the key of an option of the thing that is made, or a pointer into the scenario.
  enum class Place { words, option, pointer };

  std::string where;  // an option, a JSON pointer, a file and its line, or "line 3, column 5" of a file; may be empty
  std::string expected;  // what should stand there: "an integer at least 1"; empty where `found` says it all
  std::string found;     // what stands there; empty if nothing does
  Place place = Place::words;
  std::string inside = {};  // where in it, in words: "heart.csv:7" at /data, "sample 2 of 4" of y; may be empty

  bool operator==(const Diagnostic&) const = default;
};

/// "where: inside", without a part that is empty.
std::string place_of(const Diagnostic& diagnostic);

/// "where: inside: expected this, found that", without the parts that are empty.
std::string sentence(const Diagnostic& diagnostic);

/// Their sentences, one a line.
std::string sentences(std::span<const Diagnostic> diagnostics);

/// Something that a user gave cannot be used: a scenario or an option in it, data, or a graph. what() has a line for
/// each diagnostic.
class Diagnosed : public std::invalid_argument {
 public:
  explicit Diagnosed(std::vector<Diagnostic> found) : Diagnosed(std::move(found), "") {}
  /// Of a scenario, whose lines begin with the name of its file.
  Diagnosed(std::vector<Diagnostic> found, const std::string& text)
      : std::invalid_argument(text.empty() ? sentences(found) : text), diagnostics(std::move(found)) {}
  /// An option that cannot be used with this data, problem or topology.
  Diagnosed(std::string option, std::string expected, std::string found)
      : Diagnosed(std::vector<Diagnostic>{
            {std::move(option), std::move(expected), std::move(found), Diagnostic::Place::option}}) {}

  std::vector<Diagnostic> diagnostics;
};

}  // namespace lagnet
