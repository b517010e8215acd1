#include "scenarios/files/text.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

namespace lagnet {

namespace {
constexpr std::string_view blanks = " \t";

template <class Number>
std::errc convert(std::string_view token, Number& value) {
  if (token.size() > 1 && token[0] == '+' && token[1] != '-') token.remove_prefix(1);  // from_chars takes no plus sign
  const char* end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end) return std::errc::invalid_argument;
  return error;
}
}  // namespace

TextLines::TextLines(std::string_view text) : rest_(text) {
  if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
}

bool TextLines::next(std::string_view& line) {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++number_;
  return true;
}

std::string_view next_word(std::string_view& rest) {
  const std::size_t start = rest.find_first_not_of(blanks);
  if (start == std::string_view::npos) {
    rest = {};
    return {};
  }
  rest.remove_prefix(start);
  const std::string_view word = rest.substr(0, rest.find_first_of(blanks));
  rest.remove_prefix(word.size());
  return word;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t start = text.find_first_not_of(blanks);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(blanks) - start + 1);
}

const char* parse_real(std::string_view token, double& value) {
  double number = 0;
  const std::errc error = convert(token, number);
  if (error == std::errc::invalid_argument) return "a number";
  if (error == std::errc::result_out_of_range) return "a number within the range of a double";
  if (!std::isfinite(number)) return "a finite number";
  value = number;
  return nullptr;
}

const char* parse_integer(std::string_view token, std::int64_t& value) {
  std::int64_t number = 0;
  const std::errc error = convert(token, number);
  if (error == std::errc::invalid_argument) return "an integer";
  if (error == std::errc::result_out_of_range) return "an integer of at most 64 bits";
  value = number;
  return nullptr;
}

bool looks_numeric(std::string_view token) {
  double number = 0;
  return convert(token, number) != std::errc::invalid_argument;
}

}  // namespace lagnet
