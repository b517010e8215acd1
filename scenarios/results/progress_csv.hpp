#pragma once

#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "scenarios/json/diagnostics.hpp"
#include "scenarios/run/recorded_values.hpp"

/// progress.csv: a row for each recorded round.
namespace lagnet {

struct Experiment;
struct Row;

/// The cells of a row, below progress_columns(): an empty text where there is no number.
std::vector<std::string> progress_cells(const Row& row);
/// The numbers of these cells as a JSON array: null where there is none, and for nan and inf.
Json progress_numbers(const Row& row);

/// progress.csv of a run that goes on: a reader finds whole lines, the header and all rows so far.
class ProgressFile {
 public:
  /// Writes the header. Throws OutputError.
  ProgressFile(const Experiment& experiment, const std::filesystem::path& folder);
  /// close() reports write errors: an error thrown while agents report would end the run as theirs.
  void add(const Row& row);
  /// Throws OutputError if any of it could not be written.
  void close();

 private:
  std::filesystem::path path_;
  std::ofstream file_;
  std::exception_ptr failure_;  // the first error
};

/// Columns of names (agent_link_csv.hpp) are left out. Throws OutputError, naming file and line, if it cannot be read
/// or a row has not a number or nothing in every other column.
ProgressTable read_progress(const std::filesystem::path& path);

}  // namespace lagnet
