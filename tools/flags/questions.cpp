#include "tools/flags/questions.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "scenarios/words/layout.hpp"
#include "tools/console/command.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/terminal.hpp"

namespace lagnet::tools {

namespace {

std::string asked(const std::string& question, const std::string& usual) {
  const std::string line = fmt::format("{} [{}]:", question, usual);
  print_err("{} ", wrapped(line, terminal_columns(STDERR_FILENO) - 1, 2));
  std::string answer;
  if (!std::getline(std::cin, answer)) throw InputError("expected an answer, found the end of the input");
  return answer.empty() ? usual : answer;
}

}  // namespace

bool can_ask() { return is_terminal(STDIN_FILENO) && is_terminal(STDERR_FILENO); }

std::string asked_until(const std::string& question, const std::string& usual,
                        const std::function<void(const std::string&)>& check) {
  for (;;) {
    const std::string answer = asked(question, usual);
    try {
      check(answer);
      return answer;
    } catch (const Diagnosed& error) {
      print_wrapped(error.what());
    }
  }
}

std::string asked_label(const std::string& data, const std::string& hint) {
  const auto label_of = [](const std::string& answer) { return answer == "the last" ? "" : answer; };
  return label_of(
      asked_until("column of the label, its name or number" + hint, "the last",
                  [&](const std::string& answer) { choose_data({.data = data, .label = label_of(answer)}, "."); }));
}

void ask_for_label(ScenarioFlags& flags) {
  if (flags.data.empty() || !flags.label.empty() || !can_ask()) return;
  const std::vector<std::string> candidates = doubtful_labels(flags);
  if (!candidates.empty()) flags.label = asked_label(flags.data, ", as " + comma_list(candidates));
}

}  // namespace lagnet::tools
