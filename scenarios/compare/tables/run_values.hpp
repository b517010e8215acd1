#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/results/recorded_runs.hpp"

/// Values of runs' scenarios by their keys, as the command line names them.
namespace lagnet {

/// The pointer of a key as `--set` takes it: topology.agents, topology/agents or /topology/agents. Throws OutputError.
std::string key_pointer(std::string_view key, std::string_view option);

/// "topology.agents=5" as its pointer and value: read as JSON, or else taken as a text. Throws OutputError, naming the
/// option, if there is no "=".
struct KeyValue {
  std::string pointer;
  Json value;
};
KeyValue key_value(std::string_view text, std::string_view option);

/// The value of a scenario at a pointer: for a constant distribution its number; otherwise null if there is none.
Json simple_value(const Json& scenario, const std::string& pointer);

/// Whether a scenario has this value at the pointer. A text is also the kind of an object.
bool has_value(const Json& scenario, const KeyValue& wanted);

/// What each run has at a pointer. Throws OutputError with the nearest key if no run has anything there.
std::vector<Json> values_at(const std::vector<RecordedRun>& runs, const std::string& pointer, std::string_view option);

/// Whether a point of a sweep may have all of the values, by what its sweep sets.
WantedPoint may_have(std::vector<KeyValue> values);

/// Reads folders as read_recorded_runs does, and keeps the runs that have all of the values, named by their
/// differences. Of a sweep it reads the files of those points alone that may have them, so that some of very many
/// points are there at once. Throws OutputError for a key that no run has, too, and if no run is left.
RecordedRuns read_runs_where(const std::vector<std::filesystem::path>& folders, const std::vector<std::string>& wanted);

/// Keys that sweeps set for some runs, seeds apart, each once. If points have labels, the keys that follow from labels
/// are separate.
struct SweptKeys {
  std::vector<std::string> pointers, of_labels;
  std::vector<std::string> options_of_kinds;  // that not all runs have, beside kinds that are swept
  // The one of the network that takes different numbers, if there is one: nobody chooses a latency, so that runs are
  // compared at each of its values. "" if there is none, or several.
  std::string condition;
};
SweptKeys swept_keys(const std::vector<RecordedRun>& runs);

/// The swept keys, except the seed, that distinguish a run from others.
struct DistinctValues {
  std::vector<Json> swept, of_labels;
  Json others;
};
DistinctValues distinct_values(const RecordedRun& run, const SweptKeys& keys);

/// In how many ways two runs differ beside their seeds: one for each swept key in which they do, one for all that
/// follows from labels, and one for all else.
std::size_t ways_to_differ(const DistinctValues& a, const DistinctValues& b);

/// The differences of a run from others, except its seed and the value of a key. A kind covers its options that not all
/// runs have: the options of a lattice are not separate differences.
Json circumstances_without(const RecordedRun& run, const std::string& pointer, const std::vector<RecordedRun>& all);

}  // namespace lagnet
