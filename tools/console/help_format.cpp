#include "tools/console/help_format.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "tools/console/terminal.hpp"
#include "tools/console/text_layout.hpp"

namespace lagnet::tools {

namespace {

/// A heading, or the name that a line explains, in its ink.
std::string inked_line(const std::string& line) {
  if (line.empty()) return line;
  if (line[0] != ' ') return line.ends_with(':') ? inked(line, Ink::bold, true) : line;
  if (line.size() < 3 || line[2] == ' ') return line;
  const std::size_t end = std::min(line.find("  ", 2), line.size());
  return line.substr(0, 2) + inked(line.substr(2, end - 2), Ink::green, true) + line.substr(end);
}

}  // namespace

HelpFormat::HelpFormat(std::size_t columns, bool is_colored)
    : columns_(std::clamp<std::size_t>(columns, 60, 120)), is_colored_(is_colored) {
  column_width(26);
}

std::string HelpFormat::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  const std::string help = CLI::Formatter::make_help(app, std::move(name), mode);
  if (!is_colored_) return help;
  std::string text;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) text += inked_line(line) + '\n';
  return text;
}

std::string HelpFormat::make_description(const CLI::App* app) const {
  return wrapped(CLI::Formatter::make_description(app), columns_) + "\n";
}

std::string HelpFormat::make_footer(const CLI::App* app) const {
  return wrapped(CLI::Formatter::make_footer(app), columns_) + "\n";
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  constexpr std::size_t name_width = 14;  // of the longest name, and blanks around it
  const std::string all = command->get_description();
  std::ostringstream out;
  CLI::detail::format_help(out, command->get_name(), wrapped(all.substr(0, all.find(": ")), columns_ - name_width),
                           name_width);
  return out.str();
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
  return wrapped(CLI::Formatter::make_option_desc(option), columns_ - column_width_);
}

}  // namespace lagnet::tools
