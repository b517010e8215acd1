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

/// The members of the set with this name that may follow what is typed of a value.
using NamedCandidates = std::function<std::vector<Candidate>(const std::string& set, const std::string& word)>;

}  // namespace lagnet::tools
