#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

namespace lagnet::tools {

/// Help texts that are wrapped between words, within the columns of the terminal, headings and names in color if it
/// takes that. A list of commands has the beginning of each description, up to a colon.
class HelpFormat final : public CLI::Formatter {
 public:
  HelpFormat(std::size_t columns, bool is_colored);

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_footer(const CLI::App* app) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_option_desc(const CLI::Option* option) const override;

 private:
  std::size_t columns_;
  bool is_colored_;
};

}  // namespace lagnet::tools
