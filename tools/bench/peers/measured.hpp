#pragma once

#include <ctime>

#include <fmt/format.h>

#include <cstdint>

namespace lagnet::bench {

/// CPU time of this process so far, of all its threads, in seconds.
inline double cpu_s() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// A contestant's output: one line of JSON. Contestants with the same work end at the same simulated time.
inline void print_measured(std::int64_t messages, double seconds_of_cpu, double simulated_s) {
  fmt::print("{{\"messages\": {}, \"cpu_s\": {:.9g}, \"simulated_s\": {:.17g}}}\n", messages, seconds_of_cpu,
             simulated_s);
}

}  // namespace lagnet::bench
