#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

namespace lagnet::tools {

/// Help texts that are wrapped between words, within the columns of the terminal. A list of commands has the beginning
/// of each description, up to a colon.
class HelpFormat final : public CLI::Formatter {
 public:
  explicit HelpFormat(std::size_t columns);

  std::string make_description(const CLI::App* app) const override;
  std::string make_footer(const CLI::App* app) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_option_desc(const CLI::Option* option) const override;

 private:
  std::size_t columns_;
};

/// Groups the commands of the program by what they are for.
void group_commands(CLI::App& app);

/// Lines of at most so many columns, broken between words where that is possible. Line breaks of the text stay.
std::string wrapped(const std::string& text, std::size_t columns);

}  // namespace lagnet::tools
