#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/json/diagnostics.hpp"
#include "sim/base/input_file.hpp"

namespace lagnet {

/// The files that a run has read, as summary.json lists them: [{"pointer": "/data/path", "path": "../mine.csv",
/// "sha256": ".."}, ..], in the order of the scenario. `document`: the scenario, with paths relative to `folder`;
/// `read`: by absolute paths. Unread files are not in the list.
Json inputs_of(const Json& document, const std::filesystem::path& folder, const FileDigests& read);

/// The same from summary.json; an empty list where it has none or is no summary.
Json inputs_in(const Json& summary);

/// The first file that two such lists have with different contents, or that only one of them has: "/data/path: expected
/// mine.csv with the SHA-256 .., found one with ..". Inputs whose pointers begin with one of `ignored` are not
/// compared.
std::optional<Diagnostic> input_difference(const Json& expected, const Json& found,
                                           const std::vector<std::string>& ignored = {});

/// The first file of such a list whose content has changed, in the same words. Paths are relative to `folder`. `known`
/// caches digests, so that many runs with the same files read each of them once.
std::optional<Diagnostic> changed_input(const Json& inputs, const std::filesystem::path& folder, FileDigests& known);

}  // namespace lagnet
