#pragma once

#include <ctime>

namespace lagnet::bench {

/// CPU time of this process.
inline double cpu_ms() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double cpu_ms_of(const Work& work) {
  const double before = cpu_ms();
  work();
  return cpu_ms() - before;
}

}  // namespace lagnet::bench
