#include "scenarios/data/data_problems.hpp"

#include <fmt/format.h>

#include <utility>

namespace lagnet {

namespace {
constexpr std::size_t kept_max = 20;
constexpr std::size_t shown_max = 40;  // bytes of a token
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
  if (more_ > 0) lines.push_back(fmt::format("and {} more", more_));
  throw DataError(std::move(lines));
}

std::string shown_token(std::string_view token) {
  std::string text = "\"";
  for (const char c : token.substr(0, shown_max)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  return text + (token.size() > shown_max ? "...\"" : "\"");
}

}  // namespace lagnet
