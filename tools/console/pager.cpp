#include "tools/console/pager.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fcntl.h>
#include <array>
#include <boost/algorithm/string.hpp>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <vector>

#include "scenarios/files/pattern.hpp"
#include "tools/console/interrupt.hpp"
#include "tools/console/neutral.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/terminal.hpp"
#include "tools/console/text_layout.hpp"

namespace lagnet::tools {

namespace {

/// The command of the pager, "" for none. A terminal that cannot move its cursor is not for less, which would complain.
std::string pager_command() {
  for (const char* name : {"LAGNET_PAGER", "PAGER"})
    if (const char* const value = std::getenv(name)) return boost::trim_copy(std::string(value));
  const char* const terminal = std::getenv("TERM");
  const bool is_simple = !terminal || std::string_view(terminal).empty() || std::string_view(terminal) == "dumb";
  return is_simple ? "" : "less";
}

/// The same for a shell, which is not to say so if there is no such program.
std::string script_of(const std::string& command) {
  const std::string program = command.substr(0, command.find(' '));
  static const Pattern plain("[A-Za-z0-9_./+-]+");
  if (!plain.match(program)) return command;
  return "command -v " + program + " >/dev/null 2>&1 || exit 127\n" + command;
}

/// The environment, with what less needs to show colors and to leave a text that fits.
std::vector<std::string> pager_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable) variables.emplace_back(*variable);
  if (!std::getenv("LESS")) variables.emplace_back("LESS=FRX");
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Starts the shell with the pager, which reads from `input`. 0: it cannot be started.
pid_t start(const std::string& script, int input) {
  std::vector<std::string> words{"sh", "-c", script}, variables = pager_environment();
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  // It gets the signals as other programs do, not as lagnet has them.
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  ::sigemptyset(&none);
  ::sigemptyset(&usual);
  for (const int signal : {SIGPIPE, SIGXFSZ}) ::sigaddset(&usual, signal);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int error =
      ::posix_spawn(&child, "/bin/sh", &files, &attributes, pointers_to(words).data(), pointers_to(variables).data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  return error == 0 ? child : 0;
}

/// Until there is nobody who reads.
void write_all(int output, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(output, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Whether a pager has shown it.
bool shown_by(const std::string& command, const std::string& text) {
  constexpr int not_runnable = 126, not_found = 127;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  leave_interrupts_to_child(true);  // and a late one ends nothing that is to come
  const pid_t child = start(script_of(command), ends[0]);
  ::close(ends[0]);
  if (child != 0) write_all(ends[1], text);
  ::close(ends[1]);
  int status = 0;
  while (child != 0 && ::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return true;  // somebody else has waited for it
  const int ended = child == 0 ? not_found : WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  const bool was_there = ended != not_runnable && ended != not_found;
  leave_interrupts_to_child(was_there);
  return was_there;
}

}  // namespace

void print_paged(const std::string& text, bool is_wanted) {
  const bool is_long = is_wanted && is_terminal(STDOUT_FILENO) &&
                       rows_of(text, terminal_columns(STDOUT_FILENO)) >= terminal_rows(STDOUT_FILENO);
  const std::string command = is_long ? pager_command() : "";
  flush_output();
  if (command.empty() || !shown_by(command, neutral(text, true))) print_text(text);
}

}  // namespace lagnet::tools
