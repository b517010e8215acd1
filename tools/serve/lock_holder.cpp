#include "tools/serve/lock_holder.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

extern "C" {  // which the header of glibc 2.36 forgets
#include <sys/pidfd.h>
}

#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

/// Whether an open file of a process is this one, and holds a lock.
bool holds_lock(const fs::path& process, const std::string& descriptor, const struct stat& file) {
  struct stat opened = {};
  if (::stat((process / "fd" / descriptor).c_str(), &opened) != 0) return false;
  if (opened.st_dev != file.st_dev || opened.st_ino != file.st_ino) return false;
  std::ifstream facts(process / "fdinfo" / descriptor);
  for (std::string line; std::getline(facts, line);)
    if (line.starts_with("lock:") && line.find("FLOCK") != std::string::npos) return true;
  return false;
}

bool is_holder(pid_t pid, const struct stat& file) {
  const fs::path process = fmt::format("/proc/{}", pid);
  std::error_code ignored;
  for (fs::directory_iterator at(process / "fd", ignored), end; !ignored && at != end; at.increment(ignored))
    if (holds_lock(process, at->path().filename().string(), file)) return true;
  return false;
}

/// The process in a line of /proc/locks, "1: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF", if it is about this file.
std::optional<pid_t> holder_in(const std::string& line, const struct stat& file) {
  std::istringstream words(line);
  std::string number, kind, mode, access, place;
  pid_t pid = 0;
  if (!(words >> number >> kind >> mode >> access >> pid >> place) || kind != "FLOCK" || pid <= 0) return std::nullopt;
  const bool is_of_file = place.substr(place.rfind(':') + 1) == std::to_string(file.st_ino);
  return is_of_file ? std::optional(pid) : std::nullopt;
}

}  // namespace

std::optional<LockHolder> lock_holder(const fs::path& path) {
  struct stat file = {};
  if (::stat(path.c_str(), &file) != 0) return std::nullopt;
  std::optional<LockHolder> found;
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    const auto pid = holder_in(line, file);
    if (!pid) continue;
    if (is_holder(*pid, file)) return LockHolder{.process = *pid, .can_be_told = true};
    // Another file system may have a file of that number; the files of other users' processes are not shown.
    if (::access(fmt::format("/proc/{}/fd", *pid).c_str(), R_OK) != 0) found = LockHolder{.process = *pid};
  }
  return found;
}

bool interrupt_lock_holder(const fs::path& path) {
  const auto holder = lock_holder(path);
  if (!holder || !holder->can_be_told) return false;
  const int process = ::pidfd_open(holder->process, 0);  // from now on this process, even if the number is reused
  if (process < 0) return false;
  struct stat file = {};
  const bool still_holds = ::stat(path.c_str(), &file) == 0 && is_holder(holder->process, file);
  const bool told = still_holds && ::pidfd_send_signal(process, SIGINT, nullptr, 0) == 0;
  ::close(process);
  return told;
}

}  // namespace lagnet::tools
