#include "tools/cli/completion/completion_command.hpp"

#include <algorithm>
#include <memory>

#include "tools/cli/completion/command_words.hpp"
#include "tools/cli/completion/named_candidates.hpp"
#include "tools/cli/completion/shell_scripts.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/text_layout.hpp"

namespace lagnet::tools {

namespace {

std::string_view name_of(Paths paths) {
  return paths == Paths::files ? ":files\n" : paths == Paths::folders ? ":folders\n" : ":scenarios\n";
}

/// Shells read lines and tabs, and give each candidate a line.
std::string line_of(const Candidate& candidate) {
  constexpr std::size_t columns = 80;
  std::string summary = candidate.summary;
  std::ranges::replace_if(
      summary, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return candidate.text + (summary.empty() ? "" : "\t" + cut(summary, columns)) + "\n";
}

}  // namespace

void add_completion(CLI::App& app, Console& console) {
  auto shell = std::make_shared<std::string>();
  auto* command = app.add_subcommand("completion",
                                     "Print the script by which a shell completes commands, options, kinds and keys of "
                                     "scenarios: `source <(lagnet completion bash)`, or zsh; in fish `lagnet "
                                     "completion fish | source`");
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->option_text(" ");
  command->callback([shell, &console] {
    print_text(shell_script(*shell));
    console.exit_status = 0;
  });
}

bool is_asked_to_complete(const std::vector<std::string>& typed) {
  return typed.size() > 1 && typed[0] == "complete" && typed[1] == "--";
}

void print_candidates(CLI::App& app, const std::vector<std::string>& typed,
                      const std::function<std::vector<std::string>()>& figures) {
  const auto named = [&figures](const std::string& set, const std::string& word) {
    if (set != "papers") return named_candidates(set, word);
    std::vector<Candidate> list;
    for (const std::string& figure : figures()) list.push_back({figure});
    return list;
  };
  try {
    const Candidates found = candidates_for(app, {typed.begin() + 2, typed.end()}, named);
    for (const Candidate& candidate : found.list) print_text(line_of(candidate));
    if (found.paths != Paths::none) print_text(name_of(found.paths));
  } catch (const std::exception&) {  // somebody types: an error would be written into his line
  }
}

}  // namespace lagnet::tools
