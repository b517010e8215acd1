#pragma once

#include <CLI/CLI.hpp>
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

/// What the last of these words can become, after those before it: a subcommand or an option of `app`, a value of an
/// option, a name of a file. `words` are those after the program's name, the last one up to the cursor and perhaps
/// empty. Only candidates that begin like it.
Candidates candidates_for(CLI::App& app, const std::vector<std::string>& words, const NamedCandidates& named);

/// The members of a set by its name: what `lagnet list` lists ("losses"), the lists themselves ("listings"), what
/// `lagnet describe` knows ("names"), the keys of an algorithm ("options of extra"), all columns of results
/// ("columns"), and keys of scenarios that begin like `word` ("keys", or "settings" with "="). An unknown set is empty.
std::vector<Candidate> named_candidates(const std::string& set, const std::string& word);

}  // namespace lagnet::tools
