#include "tools/console/neutral.hpp"

#include <fmt/format.h>

#include <boost/locale/utf.hpp>

#include "scenarios/files/pattern.hpp"

namespace lagnet::tools {

namespace {

namespace utf = boost::locale::utf;

bool is_unsafe(utf::code_point c) {
  if (c < 0x20) return c != '\n' && c != '\t' && c != '\r';
  const bool is_control = c >= 0x7f && c < 0xa0;
  const bool turns =
      c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
  return is_control || turns;
}

/// The length of a sequence that sets a color or clears a line, at the start of a text; else 0.
std::size_t own_sequence(std::string_view text) {
  constexpr std::size_t longest = 19;
  static const Pattern own("^\x1b\\[[0-9;]{0,16}[mK]");
  if (!text.starts_with('\x1b')) return 0;
  const auto found = own.find(std::string(text.substr(0, longest)));
  return found ? found->front().size() : 0;
}

}  // namespace

std::string neutral(std::string_view text, bool has_own) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    std::size_t length = has_own ? own_sequence(text) : 0;
    if (length > 0) {
      safe += text.substr(0, length);
    } else {
      const char* end = text.data();
      const utf::code_point c = utf::utf_traits<char>::decode(end, text.data() + text.size());
      const bool is_byte = c == utf::illegal || c == utf::incomplete;
      length = is_byte ? 1 : static_cast<std::size_t>(end - text.data());
      if (is_byte || is_unsafe(c))
        safe += c < 0x100 || is_byte ? fmt::format("\\x{:02x}", is_byte ? static_cast<unsigned char>(text.front()) : c)
                                     : fmt::format("\\u{:04x}", c);
      else
        safe += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return safe;
}

std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    switch (c) {
      case '&':
        cell += "&amp;";
        break;
      case '<':
        cell += "&lt;";
        break;
      case '>':
        cell += "&gt;";
        break;
      case '\n':
        cell += ' ';
        break;
      case '|':
      case '[':
      case ']':
      case '\\':
        cell += '\\';
        [[fallthrough]];
      default:
        cell += c;
    }
  }
  return cell;
}

}  // namespace lagnet::tools
