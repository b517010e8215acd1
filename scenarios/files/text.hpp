#pragma once

#include <cstdint>
#include <string_view>

#include "sim/base/array.hpp"

/// Functions that the readers of text formats share. Numbers are read by std::from_chars: no locale, and to the last
/// bit.
namespace lagnet {

/// The lines of a text, numbered from 1, without their ends (\n or \r\n). A leading UTF-8 byte order mark is skipped.
class TextLines {
 public:
  explicit TextLines(std::string_view text);
  /// Moves on to the next line; false after the last.
  bool next(std::string_view& line);
  Index number() const { return number_; }  // of the line that next() gave; 0 before the first

 private:
  std::string_view rest_;
  Index number_ = 0;
};

/// Takes the next word off the front of `rest`; blanks and tabs separate words. Empty if none is left.
std::string_view next_word(std::string_view& rest);

/// `text` without blanks and tabs at either end.
std::string_view trimmed(std::string_view text);

/// Reads the whole token, a leading + allowed. Gives nullptr and sets `value` when the token is a finite number;
/// otherwise returns the expected form and leaves `value`.
const char* parse_real(std::string_view token, double& value);
const char* parse_integer(std::string_view token, std::int64_t& value);

/// True if the token reads as a number of any kind, infinities, NaN and numbers beyond a double's range included.
bool looks_numeric(std::string_view token);

}  // namespace lagnet
