#include "scenarios/files/data_diagnostics.hpp"

#include <fmt/format.h>

#include <utility>

#include "scenarios/json/json_file.hpp"
#include "scenarios/words/words.hpp"

namespace lagnet {

namespace {
constexpr std::size_t kept_max = 20;
constexpr std::size_t shown_max = 40;  // bytes of a token
}  // namespace

void refuse_data(std::string where, std::string expected, std::string found) {
  throw Diagnosed(std::vector<Diagnostic>{{std::move(where), std::move(expected), std::move(found)}});
}

void DataDiagnostics::add(Index line, std::string_view expected, std::string_view found) {
  if (found_.size() == kept_max) {
    ++more_;
    return;
  }
  found_.push_back({line > 0 ? fmt::format("{}:{}", file_, line) : file_, std::string(expected), std::string(found)});
}

void DataDiagnostics::throw_if_any() const {
  if (found_.empty()) return;
  std::vector<Diagnostic> all = found_;
  if (more_ > 0) all.push_back({file_, "", "and " + counted(more_, "more problem")});
  throw Diagnosed(std::move(all));
}

std::string printable(std::string_view text) {
  const bool is_text = is_utf8(text);
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_letter = byte >= 0x80 && is_text;
    if (byte == 0xc2 && is_letter && static_cast<unsigned char>(text[i + 1]) < 0xa0)  // controls above ASCII
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    else
      shown += byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !is_text) ? fmt::format("\\x{:02x}", byte)
                                                                         : std::string(1, text[i]);
  }
  return shown;
}

std::string shown_token(std::string_view token) {
  std::string_view start = token.substr(0, shown_max);
  while (is_utf8(token) && !is_utf8(start)) start.remove_suffix(1);  // no part of a letter
  return "\"" + printable(start) + (start.size() < token.size() ? "...\"" : "\"");
}

}  // namespace lagnet
