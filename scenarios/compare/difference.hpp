#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/json/diagnostics.hpp"

namespace lagnet {

/// One way in which results differ from what they are compared with: a golden, a new run, or another folder.
struct Difference {
  std::string code;                       // which way, one of those that difference.cpp has a text for
  std::string comparison = {};            // of two runs of a golden scenario: "again", "two threads"
  std::string point = {};                 // of a golden sweep: "005"
  std::string file = {};                  // in the folder of results: "005/progress.csv"; of a golden, its path
  std::int64_t line = 0;                  // of the file, from 1
  std::string where = {};                 // a column or a JSON pointer
  std::size_t rows = 0, differing = 0;    // of a column: how many are compared, and how many of these differ
  std::size_t row = 0;                    // the first of these, from 1
  std::int64_t round = 0;                 // of this row
  std::string expected = {}, found = {};  // there; empty where the code or `found` says it all

  bool operator==(const Difference&) const = default;
};

/// Its sentence, such as "progress.csv:3: objective is `0.5`, and `0.25` in the new run". `in_other` names where
/// `found` is, if files are compared.
std::string sentence(const Difference& difference, std::string_view in_other = "in the new run");
/// Its parts by name, without those that are empty.
Json parts_of(const Difference& difference);

/// The first difference between two text files, read line by line, in CSV files by the name of the column. `name` is
/// the file that it names. A file that cannot be read counts as empty.
std::optional<Difference> file_difference(const std::filesystem::path& a, const std::filesystem::path& b,
                                          const std::filesystem::path& name);

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
