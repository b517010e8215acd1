#pragma once

#include <string>
#include <vector>

#include "scenarios/json/diagnostics.hpp"

/// The option --algorithm NAME [KEY=VALUE]...
namespace lagnet::tools {

/// Throws Diagnosed: "--latency: expected .., found ..".
[[noreturn]] void refuse_flag(const std::string& flag, const std::string& expected, const std::string& found);

/// What is typed as words apart by line ends, the first one under `first`, the others as KEY=VALUE. `expected` is for
/// the message. Throws Diagnosed.
Json typed_object(const std::string& first, const std::vector<std::string>& words, const std::string& flag,
                  const std::string& expected);

/// An algorithm as it is typed, "extra step=0.5", words apart by line ends: {"kind": "extra", "step": 0.5}. Throws
/// Diagnosed.
Json algorithm_of(const std::string& typed);

/// The algorithm with "tune" for each option that theory has a value for and that it does not set. Throws Diagnosed
/// for a kind that does not exist.
Json with_tuned_options(Json algorithm);

/// Settings that put these algorithms in the place of the scenario's: one, or a sweep over several.
std::vector<std::string> algorithm_settings(const std::vector<std::string>& typed);

/// Whether an algorithm of this kind has a server. Throws Diagnosed for a kind that does not exist.
bool has_server(const std::string& kind);

}  // namespace lagnet::tools
