#pragma once

#include <string>
#include <vector>

#include "tools/cli/completion/candidates.hpp"

namespace lagnet::tools {

/// The members of a set by its name: what `lagnet list` lists ("losses"), the lists themselves ("listings"), what
/// `lagnet describe` knows ("names"), the keys of an algorithm ("options of extra"), all columns of results
/// ("columns"), and keys of scenarios that begin like `word` ("keys", or "settings" with "="). An unknown set is empty.
std::vector<Candidate> named_candidates(const std::string& set, const std::string& word);

}  // namespace lagnet::tools
