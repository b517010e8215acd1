#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <string>

#include "scenarios/words/layout.hpp"

namespace lagnet::tools {

/// CLI11's help with texts that are wrapped between words, which CLI11 2.1 does not do. A list of commands has the
/// beginning of each description, up to a colon.
class HelpFormat final : public CLI::Formatter {
 public:
  explicit HelpFormat(std::size_t columns) : columns_(std::clamp<std::size_t>(columns, 60, 120)) { column_width(26); }

  std::string make_description(const CLI::App* app) const override {
    return wrapped(CLI::Formatter::make_description(app), columns_) + "\n";
  }
  std::string make_footer(const CLI::App* app) const override {
    return wrapped(CLI::Formatter::make_footer(app), columns_) + "\n";
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(CLI::Formatter::make_option_desc(option), columns_ - column_width_);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    constexpr std::size_t name_width = 14;  // of the longest name, and blanks around it
    const std::string all = command->get_description();
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_name(), wrapped(all.substr(0, all.find(": ")), columns_ - name_width),
                             name_width);
    return out.str();
  }

 private:
  std::size_t columns_;
};

}  // namespace lagnet::tools
