#include "tools/cli/help_format.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

namespace lagnet::tools {

std::string wrapped(const std::string& text, std::size_t columns) {
  std::string lines, line, word;
  std::istringstream paragraphs(text);
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    std::istringstream words(paragraph);
    for (line.clear(); words >> word;) {
      if (!line.empty() && line.size() + 1 + word.size() > columns) {
        lines += line + '\n';
        line.clear();
      }
      line += (line.empty() ? "" : " ") + word;
    }
    lines += line + '\n';
  }
  if (!lines.empty()) lines.pop_back();
  return lines;
}

HelpFormat::HelpFormat(std::size_t columns) : columns_(std::clamp<std::size_t>(columns, 60, 120)) { column_width(26); }

std::string HelpFormat::make_description(const CLI::App* app) const {
  return wrapped(CLI::Formatter::make_description(app), columns_) + "\n";
}

std::string HelpFormat::make_footer(const CLI::App* app) const {
  return wrapped(CLI::Formatter::make_footer(app), columns_) + "\n";
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  constexpr std::size_t name_width = 13;  // of the longest name, and blanks around it
  const std::string all = command->get_description();
  std::ostringstream out;
  CLI::detail::format_help(out, command->get_name(), wrapped(all.substr(0, all.find(": ")), columns_ - name_width),
                           name_width);
  return out.str();
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
  return wrapped(CLI::Formatter::make_option_desc(option), columns_ - column_width_);
}

void group_commands(CLI::App& app) {
  const std::map<std::string, std::vector<std::string>> groups{
      {"Run", {"run", "sweep", "tune", "reproduce"}},
      {"Look", {"validate", "topology", "list", "describe", "schema", "compare", "report"}},
      {"Prove", {"replay", "diff", "check"}}};
  for (const auto& [title, commands] : groups)
    for (const std::string& command : commands) app.get_subcommand(command)->group(title);
}

}  // namespace lagnet::tools
