#include "tools/console/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace lagnet::tools {

int run_program(const std::vector<std::string>& command, const std::filesystem::path& output,
                const std::filesystem::path& messages) {
  constexpr int not_found = 127, signaled = 128, written = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), written, 0666);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, messages.c_str(), written, 0666);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  if (error == ENOENT) return not_found;
  if (error != 0) throw std::system_error(error, std::generic_category(), command[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), command[0]);
  return WIFEXITED(status) ? WEXITSTATUS(status) : signaled + WTERMSIG(status);
}

}  // namespace lagnet::tools
