#pragma once

#include <string>
#include <vector>

#include "scenarios/json/diagnostics.hpp"
#include "tools/cli/completion/candidates.hpp"

namespace lagnet::tools {

/// What is typed of a scenario's keys.
enum class KeyForm {
  key,     // network.latency_ms
  value,   // network.latency_ms=5
  values,  // network.latency_ms=5,50
};

/// The keys, or the values of a key, that begin like `word`, in its spelling: "/topology/agents" or "topology.agents".
/// `schema` is that of scenarios. Where kinds have keys of their own, those of the kind that `scenario` has there, or
/// else of all kinds.
std::vector<Candidate> key_candidates(const Json& schema, const Json& scenario, const std::string& word, KeyForm form);

}  // namespace lagnet::tools
