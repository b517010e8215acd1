#include "sim/machine/allowance.hpp"

#include <sched.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

namespace lagnet::allowance_test {

namespace {

namespace fs = std::filesystem;

/// A system with these files, whose machine has 16 GiB available.
class System {
 public:
  explicit System(const std::map<std::string, std::string>& files) {
    std::string name = (fs::temp_directory_path() / "lagnet-allowance-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    root_ = name;
    write("proc/meminfo", "MemTotal: 33554432 kB\nMemAvailable:   16777216 kB\n");
    for (const auto& [path, content] : files) write(path, content);
  }
  ~System() { fs::remove_all(root_); }
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  const fs::path& root() const { return root_; }

 private:
  void write(const std::string& path, const std::string& content) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << content;
  }
  fs::path root_;
};

unsigned cores_of_affinity() {
  cpu_set_t set;
  REQUIRE(::sched_getaffinity(0, sizeof set, &set) == 0);
  return static_cast<unsigned>(CPU_COUNT(&set));
}

constexpr Bytes gib = Bytes{1} << 30;

}  // namespace

TEST_CASE("a process without limits may use the cores of its affinity and the memory that is available") {
  const System plain({});
  CHECK(usable_cores(plain.root()) == cores_of_affinity());
  CHECK(memory_limit(plain.root()) == std::nullopt);
  CHECK(available_memory(plain.root()) == 16 * gib);
  CHECK(available_memory(plain.root() / "nowhere") == std::nullopt);
  const System unlimited({{"proc/self/cgroup", "0::/job\n"},
                          {"sys/fs/cgroup/job/memory.max", "max\n"},
                          {"sys/fs/cgroup/job/cpu.max", "max 100000\n"}});
  CHECK(usable_cores(unlimited.root()) == cores_of_affinity());
  CHECK(memory_limit(unlimited.root()) == std::nullopt);
}

TEST_CASE("a pinned thread counts only its own core") {
  cpu_set_t before, one;
  REQUIRE(::sched_getaffinity(0, sizeof before, &before) == 0);
  CPU_ZERO(&one);
  int core = 0;
  while (!CPU_ISSET(core, &before)) ++core;
  CPU_SET(core, &one);
  REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
  CHECK(usable_cores(System({}).root()) == 1);
  REQUIRE(::sched_setaffinity(0, sizeof before, &before) == 0);
}

TEST_CASE("the least limit of a control group of version 2 and of those around it counts") {
  const System nested({{"proc/self/cgroup", "0::/slice/job\n"},
                       {"sys/fs/cgroup/slice/memory.max", "2147483648\n"},
                       {"sys/fs/cgroup/slice/job/memory.max", "4294967296\n"},
                       {"sys/fs/cgroup/slice/job/cpu.max", "150000 100000\n"}});
  CHECK(memory_limit(nested.root()) == 2 * gib);
  CHECK(usable_cores(nested.root()) == 1);
  const System container({{"proc/self/cgroup", "0::/\n"}, {"sys/fs/cgroup/memory.max", "1073741824\n"}});
  CHECK(memory_limit(container.root()) == gib);
}

TEST_CASE("limits of version 1 are in a tree for each controller, or for several together") {
  const System old({{"proc/self/cgroup", "5:memory:/job\n4:cpu,cpuacct:/job\n"},
                    {"sys/fs/cgroup/memory/job/memory.limit_in_bytes", "3221225472\n"},
                    {"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
                    {"sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "100000\n"},
                    {"sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n"}});
  CHECK(memory_limit(old.root()) == 3 * gib);
  CHECK(usable_cores(old.root()) == 1);
  const System free({{"proc/self/cgroup", "4:cpu,cpuacct:/job\n"},
                     {"sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n"},
                     {"sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n"}});
  CHECK(usable_cores(free.root()) == cores_of_affinity());
}

TEST_CASE("the allocation of a batch system is a limit, too") {
  const System plain({});
  REQUIRE(::setenv("SLURM_MEM_PER_NODE", "512", 1) == 0);
  CHECK(memory_limit(plain.root()) == gib / 2);
  REQUIRE(::unsetenv("SLURM_MEM_PER_NODE") == 0);
}

}  // namespace lagnet::allowance_test
