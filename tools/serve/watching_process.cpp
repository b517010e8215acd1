#include "tools/serve/watching_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace lagnet::tools {

namespace {

/// What is written to one end can be read from the other; no other program gets them.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  }
  ~Pipe() {
    for (const int end : ends_)
      if (end >= 0) ::close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int to_read() const { return ends_[0]; }
  int to_write() const { return ends_[1]; }
  void close_write() { ::close(std::exchange(ends_[1], -1)); }
  int keep_write() { return std::exchange(ends_[1], -1); }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// This program once more, in a group of its own, with these standard streams.
void spawn_self(std::vector<std::string> words, int input, int output) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, "/proc/self/exe", &files, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw std::system_error(error, std::generic_category(), "lagnet serve");
}

/// Its first line; all that it says if it ends before.
std::string first_line(int from) {
  std::string text;
  std::array<char, 512> piece{};
  while (text.find('\n') == std::string::npos) {
    const ssize_t bytes = ::read(from, piece.data(), piece.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) break;
    text.append(piece.data(), static_cast<std::size_t>(bytes));
  }
  return text.substr(0, text.find('\n'));
}

}  // namespace

WatchingProcess::WatchingProcess(const std::string& folder) {
  Pipe input, output;
  spawn_self({"lagnet", "serve", "--ends-with-input", "--", folder}, input.to_read(), output.to_write());
  output.close_write();
  url_ = first_line(output.to_read());
  if (!url_.starts_with("http://")) throw std::runtime_error("lagnet serve could not be started: " + url_);
  input_ = input.keep_write();
}

WatchingProcess::~WatchingProcess() { ::close(input_); }

}  // namespace lagnet::tools
