#include "tools/console/interrupt.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "scenarios/files/interruption.hpp"
#include "scenarios/words/layout.hpp"
#include "tools/console/terminal.hpp"

namespace lagnet::tools {

namespace {

/// Printing what a run came to takes much less; a reader of a pipe that has stopped reading holds it up for ever.
constexpr std::chrono::milliseconds patience{1000};

std::string told(const Leftovers& left) {
  const std::string said = "lagnet: interrupted, ";
  if (left.kept)
    return said +
           fmt::format("finished points are in {}, and the same command goes on from there", left.kept->string());
  return said + (left.result ? fmt::format("after {} was written", left.result->string()) : "nothing was written");
}

[[noreturn]] void end_interrupted(int signal) {
  end_by_interruption(patience, [signal](const Leftovers& left) {
    const std::size_t columns = line_columns(STDERR_FILENO);
    const std::string line =
        columns == any_columns ? told(left) + "\n" : "\r\033[K" + wrapped(told(left), columns) + "\n";
    if (::write(STDERR_FILENO, line.data(), line.size()) < 0) ::_exit(128 + signal);
    ::_exit(128 + signal);
  });
}

}  // namespace

void watch_for_interrupts() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  // Under nohup a hangup is ignored, which blocking it would change.
  struct sigaction hangup {};
  if (sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);
  // Blocked everywhere, so that they reach the one thread that waits for them, which may do what a handler may not.
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread([set] {
    for (int signal = 0; sigwait(&set, &signal) == 0;) end_interrupted(signal);
  }).detach();
}

}  // namespace lagnet::tools
