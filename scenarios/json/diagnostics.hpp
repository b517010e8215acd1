#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/diagnostic.hpp"

/// Collects the problems of a scenario, so that a user can fix all of them at once instead of one per run.
namespace lagnet {

/// Members keep the order of the declarations, or of the file.
using Json = nlohmann::ordered_json;

/// The problems of one file, in the order in which they were found: the place of each is a JSON pointer, or "line 3,
/// column 5" in a file that is not valid JSON.
class Diagnostics {
 public:
  /// `file` is the name that opens each line, as the user typed it.
  explicit Diagnostics(std::string file) : file_(std::move(file)) {}

  void add(std::string pointer, std::string expected, std::string found = {}, std::string inside = {});
  void add(Diagnostic diagnostic) { list_.push_back(std::move(diagnostic)); }
  /// Adds new ones only, so that a problem of many scenarios is reported once.
  void add_new(const std::vector<Diagnostic>& diagnostics);

  const std::string& file() const { return file_; }
  const std::vector<Diagnostic>& list() const { return list_; }
  bool empty() const { return list_.empty(); }
  std::size_t count() const { return list_.size(); }

  /// One line per problem, without a line break at the end:
  /// `quickstart.json: /topology/agents: expected an integer at least 1, found "four"`.
  std::string text() const;

  /// Throws Diagnosed with the text.
  [[noreturn]] void fail() const { throw Diagnosed(list_, text()); }
  /// Does so if there are any.
  void throw_if_any() const {
    if (!empty()) fail();
  }

 private:
  std::string file_;
  std::vector<Diagnostic> list_;
};

/// A value as compact JSON for a message, shortened beyond 60 bytes. Floats are written in the shortest form that reads
/// back as the same number.
std::string shown(const Json& value);

/// A text as it is, and any other value as JSON.
std::string text_or_json(const Json& value);

/// The JSON pointer (RFC 6901) of a member of the value at `pointer`.
std::string child_pointer(const std::string& pointer, std::string_view key);

/// "; did you mean agents?" for the nearest candidate, or "" if none is near: at most two edits away or a third of the
/// length, whichever is more, and never as many as the shorter word has letters. An edit inserts, removes or replaces a
/// letter or swaps two neighbors (Damerau 1964, in the restricted form); upper and lower case are the same letter.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// "star, ring, complete"
std::string comma_list(const std::vector<std::string>& words);

}  // namespace lagnet
