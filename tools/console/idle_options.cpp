#include "tools/console/idle_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <filesystem>
#include <map>

#include "scenarios/json/diagnostics.hpp"
#include "tools/console/command.hpp"

namespace lagnet::tools {

namespace {

/// "deploy plan"
std::string name_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  if (!parent) return "";
  const std::string around = name_of(*parent);
  return around.empty() ? command.get_name() : around + " " + command.get_name();
}

struct Flag {
  const char* name;
  const char* why;  // it has no effect for a command that is not among ..
  std::vector<std::string_view> commands;
  bool is_list_of_others;  // .. or that is among these
};

const std::vector<Flag>& flags() {
  static const std::vector<Flag> all{
      {"--quiet", "its output is all that it does", {"list", "describe", "schema", "completion", "serve"}, true},
      {"--json",
       "it prints no results",
       {"schema", "completion", "deploy plan", "deploy keys", "deploy shares", "agent"},
       true},
      {"--verbose", "it runs no points of a sweep", {"run", "sweep", "tune", "retime", "replay", "ask"}, false}};
  return all;
}

std::string words_of(const Endings& endings) {
  std::vector<std::string> words;
  for (const auto& [ending, format] : endings) words.emplace_back(ending);
  return comma_list(words);
}

}  // namespace

void refuse_idle(const CLI::App& command, const std::string& option, bool is_idle, const std::string& why) {
  if (is_idle && command.count(option) > 0)
    throw InputError(fmt::format("{}: {} has no effect {}", name_of(command), option, why));
}

void refuse_all_idle(const CLI::App& command, const std::vector<std::string>& options, bool is_idle,
                     const std::string& why) {
  for (const std::string& option : options) refuse_idle(command, option, is_idle, why);
}

void refuse_unheeded_flags(const CLI::App& app) {
  const CLI::App* typed = &app;
  while (!typed->get_subcommands().empty()) typed = typed->get_subcommands().front();
  const std::string name = name_of(*typed);
  for (const Flag& flag : flags()) {
    const bool is_named = std::ranges::find(flag.commands, name) != flag.commands.end();
    if (app.count(flag.name) > 0 && is_named == flag.is_list_of_others)
      throw InputError(fmt::format("{}: {} has no effect here, since {}", name, flag.name, flag.why));
  }
  for (const char* other : {"--quiet", "--json"})
    if (app.count("--verbose") > 0 && app.count(other) > 0)
      throw InputError(
          fmt::format("{}: --verbose has no effect beside {}, which suppresses its sentences", name, other));
}

std::string format_of_name(const std::string& option, const std::string& file, const Endings& endings,
                           const std::string& asked, const std::string& asked_by) {
  const std::string ending = boost::to_lower_copy(std::filesystem::path(file).extension().string());
  if (ending.empty()) return asked;
  const auto found = std::ranges::find(endings, ending, &Endings::value_type::first);
  if (found == endings.end())
    throw InputError(
        fmt::format("{}: expected a name that ends in one of {}, found {}", option, words_of(endings), file));
  if (!asked.empty() && asked != found->second)
    throw InputError(fmt::format("{}: expected a name whose ending matches {}, found {}", option, asked_by, file));
  return std::string(found->second);
}

void check_ending(const std::string& option, const std::string& file, const Endings& endings) {
  if (!file.empty()) format_of_name(option, file, endings);
}

}  // namespace lagnet::tools
