#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/array.hpp"
#include "sim/base/diagnostic.hpp"

namespace lagnet {

/// Throws Diagnosed of a single problem of input data, whose place is "file:line", or the file as a whole.
[[noreturn]] void refuse_data(std::string where, std::string expected, std::string found);

/// Collects the problems of one data file, so that a user can correct all of them at once. A file of the wrong kind is
/// wrong on every line: the first 20 problems are kept and the others counted.
class DataDiagnostics {
 public:
  explicit DataDiagnostics(std::string file) : file_(std::move(file)) {}

  /// "file:line: expected ..., found ..."; lines count from 1, and 0 stands for the file as a whole.
  void add(Index line, std::string_view expected, std::string_view found);
  bool any() const { return !found_.empty(); }
  /// Throws Diagnosed if there is any problem.
  void throw_if_any() const;

 private:
  std::string file_;
  std::vector<Diagnostic> found_;
  Index more_ = 0;  // problems beyond those kept
};

/// Text of a file for a message: bytes that would spoil a terminal, or are no UTF-8, as \xNN.
std::string printable(std::string_view text);

/// A token of a file as a message shows it: quoted, cut if it is long, and printable.
std::string shown_token(std::string_view token);

}  // namespace lagnet
