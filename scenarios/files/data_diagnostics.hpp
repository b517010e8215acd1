#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/data/data_set.hpp"

namespace lagnet {

/// What is wrong with one data file, collected so that a user can mend all of it at once. A file of the wrong kind is
/// wrong on every line: the first 20 problems are kept and the others counted.
class DataProblems {
 public:
  explicit DataProblems(std::string file) : file_(std::move(file)) {}

  /// "file:line: expected ..., found ..."; lines count from 1, and 0 stands for the file as a whole.
  void add(Index line, std::string_view expected, std::string_view found);
  bool any() const { return !texts_.empty(); }
  /// Throws DataError if there is any problem.
  void throw_if_any() const;

 private:
  std::string file_;
  std::vector<std::string> texts_;
  Index more_ = 0;  // problems beyond those kept
};

/// Text of a file for a message: bytes that would spoil a terminal, or are no UTF-8, as \xNN.
std::string printable(std::string_view text);

/// A token of a file as a message shows it: in quotes, long ones cut, the rest printable.
std::string shown_token(std::string_view token);

}  // namespace lagnet
