#pragma once

#include <vector>

#include "tools/cli/completion/candidates.hpp"

namespace lagnet::tools {

/// The values of a set that has a name: what `lagnet list` lists ("losses"), the lists themselves ("listings"), what
/// `lagnet describe` knows ("names"), the keys of an algorithm ("options of extra"), the columns of a run ("columns"),
/// and keys of a scenario ("keys", "settings", "sweeps"). Of what is not known there are none.
std::vector<Candidate> named_candidates(const Question& question);

}  // namespace lagnet::tools
