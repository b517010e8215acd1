#include "sim/machine/allowance.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// What a file of the system says; "" if it is not there.
std::string line_of(const fs::path& file) {
  std::string line;
  std::ifstream stream(file);
  std::getline(stream, line);
  return line;
}

std::optional<double> number_of(const std::string& text) {
  std::istringstream words(text);
  double number = 0;
  return words >> number ? std::optional(number) : std::nullopt;  // "max" is none
}

/// The folders of the process's control group of a controller and of those around it, which limit it too. Version 2 has
/// one tree for all controllers, version 1 one for each or for some together.
std::vector<fs::path> groups(const fs::path& root, std::string_view controller) {
  const fs::path mounted = root / "sys/fs/cgroup";
  std::vector<fs::path> found;
  std::ifstream lines(root / "proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {  // id:controllers:/path
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() &&
        ("," + controllers + ",").find("," + std::string(controller) + ",") == std::string::npos)
      continue;
    const fs::path tree = controllers.empty() ? mounted : mounted / controllers;
    fs::path group = fs::path(line.substr(second + 1)).relative_path();
    for (; !group.empty(); group = group.parent_path()) found.push_back(tree / group);
    found.push_back(tree);  // in a container the tree begins with its own group
  }
  return found;
}

/// The least of what `limit` says of the groups.
std::optional<double> least(const std::vector<fs::path>& groups,
                            const std::function<std::optional<double>(const fs::path&)>& limit) {
  std::optional<double> all;
  for (const fs::path& group : groups)
    if (const auto here = limit(group)) all = all ? std::min(*all, *here) : here;
  return all;
}

/// Cores that a group's quota is worth, of version 2 or 1.
std::optional<double> quota(const fs::path& group) {
  std::istringstream both(line_of(group / "cpu.max"));  // "200000 100000"
  double quota = 0, period = 0;
  if (both >> quota >> period && period > 0) return quota / period;
  const auto of_version_1 = number_of(line_of(group / "cpu.cfs_quota_us"));  // -1: none
  const auto its_period = number_of(line_of(group / "cpu.cfs_period_us"));
  if (of_version_1 && its_period && *of_version_1 > 0 && *its_period > 0) return *of_version_1 / *its_period;
  return std::nullopt;
}

std::optional<double> group_memory(const fs::path& group) {
  if (const auto limit = number_of(line_of(group / "memory.max"))) return limit;
  const auto limit = number_of(line_of(group / "memory.limit_in_bytes"));
  return limit && *limit < 0x1p62 ? limit : std::nullopt;  // version 1 writes almost 2^63 for none
}

}  // namespace

unsigned usable_cores(const fs::path& root) {
  cpu_set_t set;
  CPU_ZERO(&set);
  unsigned cores = ::sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(CPU_COUNT(&set))
                                                                 : std::thread::hardware_concurrency();
  if (const auto most = least(groups(root, "cpu"), quota))
    cores = std::min(cores, static_cast<unsigned>(std::clamp(*most, 1.0, 1e6)));
  return std::max(1u, cores);
}

std::optional<Bytes> memory_limit(const fs::path& root) {
  std::optional<double> limit = least(groups(root, "memory"), group_memory);
  if (const char* of_batch = std::getenv("SLURM_MEM_PER_NODE"))
    if (const auto mib = number_of(of_batch); mib && *mib > 0)
      limit = std::min(limit.value_or(*mib * 0x1p20), *mib * 0x1p20);
  return limit ? std::optional(static_cast<Bytes>(std::min(*limit, 0x1p62))) : std::nullopt;
}

std::optional<Bytes> available_memory(const fs::path& root) {
  constexpr std::string_view key = "MemAvailable:";  // in KiB
  std::ifstream facts(root / "proc/meminfo");
  for (std::string line; std::getline(facts, line);)
    if (line.starts_with(key))
      if (const auto kib = number_of(line.substr(key.size()))) return static_cast<Bytes>(*kib * 1024);
  return std::nullopt;
}

namespace {

Bytes usual_budget() {
  constexpr Bytes no_limit = std::numeric_limits<Bytes>::max();
  const Bytes most = std::min(available_memory().value_or(no_limit), memory_limit().value_or(no_limit));
  return most == no_limit ? no_limit : most / 4 * 3;
}

/// Every reader and generator must keep to it, which is why it is not handed from one to the next.
std::atomic<Bytes>& budget() {
  static std::atomic<Bytes> bytes = usual_budget();
  return bytes;
}

}  // namespace

Bytes memory_budget() { return budget(); }

void set_memory_budget(std::optional<Bytes> bytes) { budget() = bytes ? *bytes : usual_budget(); }

}  // namespace lagnet
