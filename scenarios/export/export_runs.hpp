#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lagnet {

/// How many rows a database has got.
struct Exported {
  std::int64_t points = 0;  // runs and points of sweeps, with those that ended by an error
  std::int64_t rows = 0;    // of progress
  std::int64_t agents = 0, links = 0;
};

/// Writes runs, and the points of sweeps, into an SQLite database, for queries in SQL:
///
///   points   a row for each: folder, what it ran, how it ended, the totals of its accounts, its scenario as JSON, and
///            a column for every key that sweeps set, called as in sweep.csv
///   rows     progress.csv: every recorded row with the id of its point
///   agents   agents.csv: the account of each agent
///   links    links.csv: the account of each directed link
///   facts    version of lagnet and the folders
///
/// Columns have types, keys have indices. Empty cells and nan are NULL, inf is a real number. `where`: "KEY=VALUE",
/// only runs that have all of these; it does not read the files of other points. It reads runs one after the other, so
/// their number does not matter. `tell` gets the number of points now and then. The file appears complete or not at
/// all. In an earlier export it replaces these tables and keeps others; it replaces any other database only with
/// `replaces`. Throws OutputError.
Exported export_runs(const std::vector<std::filesystem::path>& folders, const std::vector<std::string>& where,
                     const std::filesystem::path& file, const std::function<void(std::int64_t points)>& tell = {},
                     bool replaces = false);

}  // namespace lagnet
