#include "tools/console/interrupt.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <mutex>
#include <system_error>
#include <thread>

#include "tools/console/terminal.hpp"
#include "tools/console/text_layout.hpp"

namespace lagnet::tools {

namespace {

struct Unfinished {
  std::mutex mutex;
  std::filesystem::path folder;
  bool stays = false;
};

/// Never destroyed: the watching thread outlives main().
Unfinished& unfinished() {
  static auto* const only = new Unfinished;
  return *only;
}

[[noreturn]] void end_interrupted(int signal) {
  Unfinished& left = unfinished();
  const std::lock_guard lock(left.mutex);
  std::error_code ignored;
  // Runs may still be adding files: further passes take what the first has missed.
  for (int pass = 0; pass < 100 && !left.stays && std::filesystem::exists(left.folder, ignored); ++pass)
    std::filesystem::remove_all(left.folder, ignored);
  const std::string what =
      left.stays
          ? fmt::format("finished points are in {}, and the same command goes on from there", left.folder.string())
          : "nothing was written";
  const std::string told = "lagnet: interrupted, " + what;
  const std::size_t columns = line_columns(STDERR_FILENO);
  const std::string line = columns == any_columns ? told + "\n" : "\r\033[K" + wrapped(told, columns) + "\n";
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) ::_exit(128 + signal);
  ::_exit(128 + signal);
}

}  // namespace

void watch_for_interrupts() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  // Blocked everywhere, so that they reach the one thread that waits for them, which may do what a handler may not.
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread([set] {
    int signal = 0;
    if (sigwait(&set, &signal) == 0) end_interrupted(signal);
  }).detach();
}

void yield_to_interrupt() { const std::lock_guard lock(unfinished().mutex); }

void set_unfinished(const std::filesystem::path& folder, bool stays) {
  Unfinished& left = unfinished();
  const std::lock_guard lock(left.mutex);
  left.folder = folder;
  left.stays = stays;
}

}  // namespace lagnet::tools
