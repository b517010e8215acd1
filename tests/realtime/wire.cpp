#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>

#include "tests/realtime/wire_config.hpp"
#include "tests/realtime/wire_host.hpp"
#include "tests/realtime/wire_network.hpp"

/// A network between namespaces on one computer, with latencies, bandwidths and losses that a file gives: README.md.
namespace lagnet::wire {

namespace {

struct Options {
  std::string file;
  int busy_wait_us = 0;
  bool is_realtime = false;
  bool is_sweep = false;
};

/// A line on standard output for the program that waits for it.
void tell(const Json& line) {
  fmt::print("{}\n", line.dump());
  if (std::fflush(stdout) != 0) throw_errno("write standard output");
}

/// Files that are opened later must not take the numbers of standard streams that the caller closed.
void fill_standard_streams() {
  int fd = STDIN_FILENO;
  while (fd >= 0 && fd <= STDERR_FILENO) fd = open("/dev/null", O_RDWR);
  if (fd >= 0) close(fd);
}

/// The signals that end the program, from now on readable instead of deadly, so that it always clears up.
Fd catch_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  Fd caught(signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC));
  if (caught.get() < 0) throw_errno("wait for signals");
  return caught;
}

/// Whether the scheduler now prefers this process to all ordinary ones.
bool ask_for_realtime() {
  const sched_param lowest{.sched_priority = 1};
  return sched_setscheduler(0, SCHED_FIFO, &lowest) == 0;
}

double cpu_s() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

Json run(const Options& options) {
  const Config config = read_config(options.file);
  fill_standard_streams();
  const Fd stop_signals = catch_signals();
  Network network(config, Nanos{1000} * options.busy_wait_us);
  const bool is_realtime = options.is_realtime && ask_for_realtime();
  if (options.is_realtime && !is_realtime)
    fmt::print(stderr, "wire: the computer refuses a real-time priority; packets may be later\n");
  Json names = Json::object();
  for (const Host& host : network.hosts()) names[host.config().name] = host.namespace_name();
  tell({{"namespaces", std::move(names)}, {"device", device_name}, {"realtime", is_realtime}});
  network.run(stop_signals.get());
  Json statistics = network.statistics();
  statistics["cpu_s"] = cpu_s();
  return statistics;
}

int execute(CLI::App& app, const Options& options, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    if (options.is_sweep) {
      for (const std::string& name : sweep_namespaces()) fmt::print("{}\n", name);
      return 0;
    }
    if (options.file.empty()) throw CLI::RequiredError("CONFIG.json");
    tell(run(options));  // the namespaces are gone by then, whatever happens to the line
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const ConfigError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  } catch (const NotPermitted& error) {
    fmt::print(stderr, "wire: {}; it needs root, network namespaces and tun devices\n", error.what());
    return 77;
  } catch (const std::exception& error) {
    fmt::print(stderr, "wire: {}\n", error.what());
    return 1;
  }
}

}  // namespace

}  // namespace lagnet::wire

int main(int argc, char** argv) {
  CLI::App app("wire: a network between namespaces on this computer, with the latencies and losses of a file", "wire");
  lagnet::wire::Options options;
  app.add_option("CONFIG.json", options.file, "hosts and links; README.md has its members");
  app.add_option("--busy-wait-us", options.busy_wait_us,
                 "look at the clock instead of sleeping this long before a packet is due: less late, more CPU")
      ->check(CLI::Range(0, 100));
  app.add_flag("--realtime", options.is_realtime, "ask for a real-time priority (SCHED_FIFO)");
  app.add_flag("--sweep", options.is_sweep, "only remove the namespaces of wires that were killed, and name them");
  app.footer(
      "Runs until SIGTERM, SIGINT, SIGHUP or the end of standard input. Exit status: 0 done, 1 an error of the system, "
      "2 wrong input, 77 the computer permits no namespaces or tun devices.");
  return lagnet::wire::execute(app, options, argc, argv);
}
