#pragma once

#include <functional>
#include <string>
#include <vector>

namespace lagnet::tools {

/// What may stand in place of a word that is being typed. One that ends with "/", ".", "=" or "," goes on.
struct Candidate {
  std::string text;
  std::string summary = {};  // for shells that show one
};

/// Names in the file system, which shells complete themselves.
enum class Paths { none, files, folders, scenarios };

struct Candidates {
  std::vector<Candidate> list;
  Paths paths = Paths::none;
};

/// A value that is being typed, of a set that has a name, and what the words before it say.
struct Question {
  std::string what;
  std::string word;                        // the value so far
  std::string scenario = {};               // the file or result folder, if one was typed
  std::vector<std::string> settings = {};  // values of --set
};
using NamedCandidates = std::function<std::vector<Candidate>(const Question&)>;

}  // namespace lagnet::tools
