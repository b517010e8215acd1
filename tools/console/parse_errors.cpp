#include "tools/console/parse_errors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/files/pattern.hpp"
#include "scenarios/json/diagnostics.hpp"

namespace lagnet::tools {

namespace {

std::string unknown_command(const CLI::App& app) {
  const std::vector<std::string> left = app.remaining();
  const auto word = std::ranges::find_if(left, [](const std::string& one) { return !one.starts_with("-"); });
  if (!app.get_subcommands().empty() || word == left.end()) return "";
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return fmt::format("expected one of the commands {}, found {}{}", comma_list(names), *word,
                     did_you_mean(*word, names));
}

/// --set /a 5, where the value became a word of its own.
std::string setting_without_value(const std::vector<std::string>& typed) {
  for (std::size_t k = 0; k + 2 < typed.size(); ++k)
    for (const char* option : {"--set", "--sweep"})
      if (typed[k] == option && typed[k + 1].find('=') == std::string::npos && !typed[k + 2].starts_with("--"))
        return fmt::format("{0}: expected a key and its value in one word, as in {0} {1}={2}, found {1} {2}", option,
                           typed[k + 1], typed[k + 2]);
  return "";
}

std::string unknown_option(const CLI::App& app) {
  std::vector<std::string> names;
  const auto add_names = [&names](const CLI::App& one) {
    for (const CLI::Option* option : one.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  };
  add_names(app);
  for (const CLI::App* command : app.get_subcommands()) add_names(*command);
  for (const std::string& word : app.remaining(true))
    if (word.starts_with("--") && word.size() > 2)
      if (const std::string name = word.substr(0, word.find('=')); std::ranges::find(names, name) == names.end())
        return fmt::format("expected one of the options that --help lists, found {}{}", name,
                           did_you_mean(name, names));
  return "";
}

/// --set a=1 b=2, where the second has no option of its own.
std::string setting_without_option(const CLI::App& app, const std::vector<std::string>& typed) {
  const bool has_setting = std::ranges::find(typed, "--set") != typed.end();
  for (const std::string& word : app.remaining(true))
    if (has_setting && !word.starts_with("-") && word.find('=') != std::string::npos)
      return fmt::format("expected --set before every setting, found {} without it", word);
  return "";
}

}  // namespace

std::vector<std::string> with_help_option(std::vector<std::string> typed, const CLI::App& app) {
  const auto has_commands = [](const CLI::App* command) {
    return !command->get_subcommands([](const CLI::App*) { return true; }).empty();
  };
  if (typed.size() == 2 && typed.back() == "help")
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
      if (command->get_name() == typed.front() && has_commands(command)) return {typed.front(), "--help"};
  if (typed.empty() || typed.front() != "help") return typed;
  typed.erase(typed.begin());
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  const auto is_called = [&](const CLI::App* command) { return command->get_name() == typed.front(); };
  if (typed.empty() || std::ranges::any_of(commands, is_called)) typed.emplace_back("--help");
  return typed;
}

std::vector<std::string> with_joined_options(const std::vector<std::string>& typed) {
  std::vector<std::string> words;
  bool is_name = false, is_option = false;  // the next word may be, of an algorithm or of data
  for (const std::string& word : typed) {
    if (is_option && !word.starts_with("-") && word.find('=') != std::string::npos && word.find('/') != 0) {
      words.back() += "\n" + word;
      continue;
    }
    words.push_back(word);
    is_option = is_name || word.starts_with("--algorithm=") || word.starts_with("--data=");
    is_name = word == "--algorithm" || word == "--data";
  }
  return words;
}

void refuse_empty_numbers(CLI::App& app) {
  static const Pattern number("^(U?INT|FLOAT|NUMBER)\\b");
  for (CLI::Option* option : app.get_options({}))
    if (number.find(option->get_type_name()))
      option->transform(CLI::Validator(  // before other checks, which read it as 0
          [](std::string& word) { return word.empty() ? std::string("expected a number, found none") : ""; }, ""));
  for (CLI::App* command : app.get_subcommands({})) refuse_empty_numbers(*command);
}

std::string explain_refusal(const CLI::App& app, const std::vector<std::string>& typed) {
  for (const std::string& found :
       {unknown_command(app), setting_without_value(typed), unknown_option(app), setting_without_option(app, typed)})
    if (!found.empty()) return found;
  return "";
}

}  // namespace lagnet::tools
