#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lagnet {

/// The first difference between two text files, read line by line, as "3: objective is `0.5`, and `0.25` in B", in CSV
/// files by the name of the column; "" if there is none. `in_b` names the place of the second file: "in B". A file that
/// cannot be read counts as empty.
std::string file_difference(const std::filesystem::path& a, const std::filesystem::path& b, const std::string& in_b);

/// The files that any of some result folders has, by their names in it: scenarios first, since if these differ all else
/// does, then results before the summaries made of them. Which build has written them is no result, and left out.
std::vector<std::filesystem::path> files_in_order(const std::vector<std::filesystem::path>& folders);

/// Where two traces diverge. A trace without a line is a trace, too.
struct TraceDifference {
  std::int64_t common = 0;          // events before the first that differs
  std::vector<std::string> before;  // the last of these, at most 5, oldest first, if the traces part
  std::string a, b;                 // the first event that differs; "" where the trace has ended
  std::vector<std::string> keys;    // how it differs, key by key: "duration_ns is 5, and 7 in B"
  std::int64_t rest = 0;            // events that the longer trace has from there on, if the other has ended
  bool same() const { return a.empty() && b.empty(); }
};

/// Compares two files as record.trace writes them, line by line, so that they may be of any size. Throws OutputError,
/// naming file and line, if one cannot be read, or if its first line or the first that differs is no event.
TraceDifference trace_difference(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace lagnet
