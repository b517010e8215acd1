#include "scenarios/deploy/child_processes.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "scenarios/files/result_folder.hpp"
#include "sim/base/errors.hpp"
#include "sim/realtime/addresses.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

fs::path log_of(const fs::path& folder, const AgentProcess& process) {
  return folder / fmt::format("process_{}_{}.log", process.process, process.incarnation);
}
fs::path error_of(const fs::path& folder, std::uint32_t process) {
  return folder / fmt::format("process_{}.error", process);
}

/// A child ends with its parent, and not as its parent's interruptions end: what that has begun is not the child's.
void become_child(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  std::signal(SIGINT, SIG_IGN);  // a terminal sends these to all; the parent ends its children
  std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGTERM, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// The processes of one run. Whatever ends it, none of them is left behind.
class Children {
 public:
  Children(fs::path folder, ProcessWork work) : folder_(std::move(folder)), work_(std::move(work)) {}
  ~Children() {
    for (const auto& [pid, process] : running_) ::kill(pid, SIGKILL);
    for (const auto& [pid, process] : running_) ::waitpid(pid, nullptr, 0);
  }
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  void start(AgentProcess process) {
    process.log = log_of(folder_, process);
    write_file(process.log, "");  // the process may be killed before it opens its record
    logs_.push_back(process.log);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child > 0) {
      running_.emplace(child, std::move(process));
      return;
    }
    become_child(parent);
    int status = 0;
    try {
      work_(process);
    } catch (const std::exception& error) {
      status = 1;
      try {
        write_file(error_of(folder_, process.process), error.what());
      } catch (const std::exception&) {  // the status says enough
      }
    }
    ::_exit(status);  // without the ends of what is the parent's
  }

  /// Until all have ended. Throws RunError for the first that fails, but for those that are killed and started anew.
  void wait(const ChildOptions& options) {
    while (!running_.empty()) {
      int status = 0;
      const pid_t ended = ::waitpid(-1, &status, 0);
      if (ended < 0 && errno == EINTR) continue;
      if (ended < 0) throw std::system_error(errno, std::generic_category(), "waitpid");
      const auto found = running_.find(ended);
      if (found == running_.end()) continue;
      AgentProcess process = std::move(found->second);
      running_.erase(found);
      if (status == 0) {
        left_.insert(process.process);
        continue;
      }
      if (!options.restarts || !WIFSIGNALED(status))
        throw RunError(fmt::format("process {}: {}", process.process, why(process.process, status)));
      if (options.warn)
        options.warn(
            {"process_restarted",
             {{"process", process.process}, {"signal", WTERMSIG(status)}},
             fmt::format("process {} was ended by signal {} and starts anew", process.process, WTERMSIG(status))});
      process.incarnation = now_as_number();  // as far from the last start as it ran
      process.left.assign(left_.begin(), left_.end());
      start(std::move(process));
    }
  }
  /// Of all that have run.
  const std::vector<fs::path>& logs() const { return logs_; }

 private:
  std::string why(std::uint32_t process, int status) const {
    if (fs::exists(error_of(folder_, process))) return read_file(error_of(folder_, process));
    if (WIFSIGNALED(status)) return fmt::format("ended by signal {}", WTERMSIG(status));
    return fmt::format("ended with status {}", WEXITSTATUS(status));
  }

  fs::path folder_;
  ProcessWork work_;
  std::vector<fs::path> logs_;
  std::map<pid_t, AgentProcess> running_;
  std::set<std::uint32_t> left_;  // whose agents have ended
};

}  // namespace

std::vector<fs::path> in_processes(const Experiment& experiment, const fs::path& folder, const ChildOptions& options,
                                   const ProcessWork& work) {
  LoopbackListeners listeners(options.processes);
  AgentProcess process{.process_of = spread(experiment.network->agents(), options.processes),
                       .addresses = listeners.addresses(),
                       .scenario = digest_of(experiment),
                       .patience = options.patience};
  Children children(folder, work);
  for (std::uint32_t k = 0; k < options.processes; ++k) {
    process.process = k;
    process.listener = listeners.socket(k);
    children.start(process);
  }
  children.wait(options);
  return children.logs();
}

}  // namespace lagnet
