#include "tools/console/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "scenarios/words/layout.hpp"

namespace lagnet::tools {

namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// The number of "select graphic rendition", ECMA-48.
int rendition_of(Ink ink) {
  switch (ink) {
    case Ink::plain:
      break;
    case Ink::bold:
      return 1;
    case Ink::dim:
      return 2;
    case Ink::red:
      return 31;
    case Ink::green:
      return 32;
    case Ink::yellow:
      return 33;
  }
  return 0;
}

}  // namespace

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

std::size_t terminal_columns(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::size_t terminal_rows(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_row > 0) return size.ws_row;
  return std::numeric_limits<std::size_t>::max();
}

std::size_t line_columns(int descriptor) {
  constexpr std::size_t spare = 3;
  if (!is_terminal(descriptor)) return any_columns;
  const std::size_t columns = terminal_columns(descriptor);
  return columns > 2 * spare ? columns - spare : columns;
}

bool takes_colors(int descriptor) {
  const std::string_view kind = variable("TERM");
  return is_terminal(descriptor) && variable("NO_COLOR").empty() && !kind.empty() && kind != "dumb";
}

Look look_of(int descriptor) { return {line_columns(descriptor), takes_colors(descriptor)}; }

std::string inked(std::string_view text, Ink ink, bool is_wanted) {
  if (!is_wanted || ink == Ink::plain || text.empty()) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", rendition_of(ink), text);
}

std::string entry_line(std::string_view name, std::string_view about, const Look& look, std::size_t indent) {
  return "  " + inked(aligned_left(name, indent - 3), Ink::green, look.is_colored) + " " +
         set_in(std::string(about), indent, look.columns).substr(indent) + "\n";
}

}  // namespace lagnet::tools
