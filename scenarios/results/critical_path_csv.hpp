#pragma once

#include <string>
#include <vector>

#include "scenarios/results/agent_link_csv.hpp"
#include "sim/accounts/critical_path.hpp"

/// What everybody waited for in a run, by the names that people know.
namespace lagnet {

/// An agent, or what messages share: "server", "agent 3", "Oslo's up-link", "link 0 -> 3".
std::string name_on_path(const Experiment& experiment, PathKind kind, std::uint32_t of);

/// The same in a sentence: "the server", "the link 0 -> 3".
std::string in_sentence(const Experiment& experiment, PathKind kind, std::uint32_t of);

/// The share of a part in the time of the last report; 0 if that is at the beginning.
double share_on_path(const PathSums& path, Duration time);

/// critical_path.csv.
void write_critical_path_csv(const Experiment& experiment, const Outcome& outcome, const TextSink& sink);
/// The key critical_path of summary.json: the shares of the kinds, and the longest parts.
Json path_facts(const Experiment& experiment, const PathSums& path);
/// A part of the path: what, kind, time_s, share.
Json path_part(const Experiment& experiment, const PathSums& path, const PathPieces::Content& part);

}  // namespace lagnet
