#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet {

/// Reads the records of a CSV text one by one (RFC 4180); a record may have several lines. Unlike boost::tokenizer's
/// escaped_list_separator it reads a doubled quote as a quote, a backslash as itself, and line ends inside quotes.
class CsvRecords {
 public:
  CsvRecords(std::string_view text, char separator, DataDiagnostics& diagnostics);
  /// The fields of the next record that is not blank; false at the end.
  bool next(std::vector<std::string>& fields);
  Index line() const { return line_; }  // where the record of next() starts, from 1

 private:
  bool read_field(std::string& field);  // true if another field follows in this record
  bool read_quoted(std::string& field);
  bool end_of_field();

  std::string_view text_;
  std::size_t at_ = 0;
  char separator_;
  DataDiagnostics& diagnostics_;
  Index line_ = 1;
  Index next_line_ = 1;
};

/// A CSV file that lagnet wrote, record by record. Throws OutputError, naming file and line, for the first record that
/// is not as long as the header, or if the file cannot be read.
struct RecordedCsv {
  explicit RecordedCsv(const std::filesystem::path& file);
  RecordedCsv(const RecordedCsv&) = delete;
  bool next(std::vector<std::string>& cells);                                         // false at the end
  [[noreturn]] void refuse(std::string_view expected, std::string_view found) const;  // this record

  const std::string file, text;
  DataDiagnostics diagnostics;
  CsvRecords records;
  std::vector<std::string> header;
};

/// A record: commas between, quotes where RFC 4180 wants them, a line break at the end.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace lagnet
