#include "tools/cli/completion/candidates.hpp"

#include <algorithm>
#include <array>
#include <boost/algorithm/string.hpp>
#include <set>
#include <string_view>

#include "tools/console/suggestions.hpp"

namespace lagnet::tools {

namespace {

/// The beginning of a description, which says enough in a list.
std::string summary_of(const std::string& description) {
  return description.substr(0, std::min({description.find(": "), description.find("; "), description.find(" (")}));
}

/// By what help calls a value: "FILE", "RECORD ..".
Paths paths_of(const CLI::Option& option) {
  std::string name = option.get_positional() ? option.get_name(true) : option.get_option_text();
  name = name.substr(0, name.find(' '));
  const auto is_one_of = [&name](const auto& names) { return std::ranges::find(names, name) != names.end(); };
  if (is_one_of(std::array<std::string_view, 5>{"DIR", "FOLDER", "RUN", "REAL", "SIMULATED"})) return Paths::folders;
  if (is_one_of(std::array<std::string_view, 2>{"SCENARIO", "PLAN"})) return Paths::scenarios;
  return option.get_positional() || is_one_of(std::array<std::string_view, 2>{"FILE", "RECORD"}) ? Paths::files
                                                                                                 : Paths::none;
}

class TypedWords {
 public:
  explicit TypedWords(CLI::App& app) : command_(&app) {}

  void take(const std::string& word) {
    const bool is_dashed = word.size() > 1 && word.starts_with('-');
    if (needed_ > 0 || (possible_ > 0 && !is_dashed)) return take_value(*open_, word);
    possible_ = 0;
    if (is_algorithm_option(word)) return;
    algorithm_.clear();
    if (only_positionals_ || !is_dashed) return take_plain(word);
    if (word == "--")
      only_positionals_ = true;
    else
      take_option(word);
  }

  Candidates at(const std::string& word, const NamedCandidates& named) {
    Candidates found;
    if (needed_ > 0) {
      add_values(*open_, "", word, named, found);
    } else if (!only_positionals_ && word.starts_with('-')) {
      const std::size_t equals = word.find('=');
      CLI::Option* const option = equals == std::string::npos ? nullptr : option_called(word.substr(0, equals));
      if (option)
        add_values(*option, word.substr(0, equals + 1), word.substr(equals + 1), named, found);
      else
        add_options(found.list);
    } else {
      add_plain(word, named, found);
    }
    std::erase_if(found.list, [&word](const Candidate& one) { return !one.text.starts_with(word); });
    return found;
  }

 private:
  bool is_algorithm_option(const std::string& word) const {
    return !algorithm_.empty() && !word.starts_with('-') && word.find('=') != std::string::npos;
  }

  std::vector<CLI::App*> commands() const {
    return command_->get_subcommands([](CLI::App* one) { return !one->get_group().empty(); });
  }

  /// The options of the command, and those of the program that every command takes.
  std::vector<CLI::Option*> options() const {
    std::vector<CLI::Option*> found;
    for (CLI::App* owner = command_; owner; owner = owner->get_parent())
      for (CLI::Option* option : owner->get_options())
        if (option->nonpositional() &&
            (owner == command_ || (option != owner->get_help_ptr() && !option->check_lname("version"))))
          found.push_back(option);
    return found;
  }

  CLI::Option* option_called(const std::string& name) const {
    for (CLI::Option* option : options())
      if (option->check_name(name)) return option;
    return nullptr;
  }

  /// The one whose turn it is, or none.
  CLI::Option* positional() const {
    const auto all = command_->get_options([](CLI::Option* one) { return one->get_positional(); });
    if (all.empty()) return nullptr;
    if (taken_ < all.size()) return all[taken_];
    return all.back()->get_items_expected_max() > 1 ? all.back() : nullptr;
  }

  void take_option(const std::string& word) {
    const bool is_long = word.starts_with("--");
    const std::size_t end = is_long ? word.find('=') : word.size() > 2 ? 2 : std::string::npos;
    CLI::Option* const option = option_called(word.substr(0, end));
    if (!option) return;
    given_.insert(option);
    if (option->get_items_expected_max() == 0) return;
    if (end != std::string::npos) return note(*option, word.substr(is_long ? end + 1 : end));
    open_ = option;
    needed_ = std::max(1, option->get_items_expected_min());
    possible_ = option->get_allow_extra_args() ? option->get_items_expected_max() : needed_;
  }

  void take_value(CLI::Option& option, const std::string& word) {
    needed_ = std::max(0, needed_ - 1);
    --possible_;
    note(option, word);
  }

  void note(CLI::Option& option, const std::string& value) {
    if (suggestion_of(option) == "algorithms") algorithm_ = value;
  }

  void take_plain(const std::string& word) {
    const auto inner = commands();
    const auto found = std::ranges::find_if(inner, [&](const CLI::App* one) { return one->get_name() == word; });
    if (found != inner.end() && taken_ == 0) {
      command_ = *found;
      return;
    }
    if (!command_->get_parent() && taken_ == 0 && word == "help" && !is_help_) {
      is_help_ = true;
      return;
    }
    ++taken_;
  }

  void add_options(std::vector<Candidate>& list) const {
    for (const CLI::Option* option : options()) {
      const bool is_repeatable =
          option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll || option->get_expected_max() > 1;
      if (given_.contains(option) && !is_repeatable) continue;
      for (const std::string& name : option->get_lnames())
        list.push_back({"--" + name, summary_of(option->get_description())});
      for (const std::string& name : option->get_snames())
        list.push_back({"-" + name, summary_of(option->get_description())});
    }
  }

  /// Where no option is wanted.
  void add_plain(const std::string& word, const NamedCandidates& named, Candidates& found) {
    if (possible_ > 0) return add_values(*open_, "", word, named, found);
    if (!algorithm_.empty()) found.list = named("options of " + algorithm_, word);
    if (taken_ == 0 && !only_positionals_)
      for (const CLI::App* one : commands())
        found.list.push_back({one->get_name(), summary_of(one->get_description())});
    if (!command_->get_parent() && taken_ == 0 && !is_help_)
      found.list.push_back({"help", "Explain a command and its options"});
    if (CLI::Option* const option = positional(); option && !is_help_) add_values(*option, "", word, named, found);
  }

  void add_values(CLI::Option& option, const std::string& before, const std::string& word, const NamedCandidates& named,
                  Candidates& found) const {
    const std::string what = suggestion_of(option);
    std::vector<Candidate> values;
    if (what.empty()) {
      found.paths = paths_of(option);
    } else if (what.find('|') != std::string::npos) {
      std::vector<std::string> words;
      boost::algorithm::split(words, what, [](char c) { return c == '|'; });
      for (std::string& one : words) values.push_back({std::move(one)});
    } else {
      values = named(what, word);
    }
    for (Candidate& value : values) found.list.push_back({before + value.text, std::move(value.summary)});
  }

  CLI::App* command_;
  std::size_t taken_ = 0;  // positionals of the command
  bool only_positionals_ = false, is_help_ = false;
  CLI::Option* open_ = nullptr;    // takes the next words:
  int needed_ = 0, possible_ = 0;  // so many of them
  std::set<const CLI::Option*> given_;
  std::string algorithm_;  // whose options may follow
};

}  // namespace

Candidates candidates_for(CLI::App& app, const std::vector<std::string>& words, const NamedCandidates& named) {
  if (words.empty()) return candidates_for(app, {""}, named);
  TypedWords typed(app);
  for (std::size_t k = 0; k + 1 < words.size(); ++k) typed.take(words[k]);
  return typed.at(words.back(), named);
}

}  // namespace lagnet::tools
