#include "scenarios/files/data_diagnostics.hpp"

#include <fmt/format.h>

#include <boost/locale/utf.hpp>
#include <utility>

namespace lagnet {

namespace {
constexpr std::size_t kept_max = 20;
constexpr std::size_t shown_max = 40;  // bytes of a token

bool is_utf8(std::string_view text) {
  using Utf = boost::locale::utf::utf_traits<char>;
  for (auto at = text.begin(); at != text.end();)
    if (!boost::locale::utf::is_valid_codepoint(Utf::decode(at, text.end()))) return false;
  return true;
}

}  // namespace

DataError::DataError(std::vector<std::string> lines)
    : std::runtime_error(fmt::format("{}", fmt::join(lines, "\n"))), problems(std::move(lines)) {}

void DataProblems::add(Index line, std::string_view expected, std::string_view found) {
  if (texts_.size() == kept_max) {
    ++more_;
    return;
  }
  const std::string place = line > 0 ? fmt::format("{}:{}", file_, line) : file_;
  texts_.push_back(fmt::format("{}: expected {}, found {}", place, expected, found));
}

void DataProblems::throw_if_any() const {
  if (texts_.empty()) return;
  std::vector<std::string> lines = texts_;
  if (more_ > 0) lines.push_back(fmt::format("{}: expected no problems beside these, found {} more", file_, more_));
  throw DataError(std::move(lines));
}

std::string printable(std::string_view text) {
  const bool is_text = is_utf8(text);
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool spoils = byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !is_text);
    shown += spoils ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return shown;
}

std::string shown_token(std::string_view token) {
  std::string_view start = token.substr(0, shown_max);
  while (is_utf8(token) && !is_utf8(start)) start.remove_suffix(1);  // no part of a letter
  return "\"" + printable(start) + (start.size() < token.size() ? "...\"" : "\"");
}

}  // namespace lagnet
