#include "sim/realtime/work_time.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace lagnet {

namespace {

double seconds_of_repeated(const std::function<void()>& work, int times) {
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < times; ++k) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

/// So many times at once that reading the clock does not matter, and so often that no interruption does.
double seconds_of_work(const std::function<void()>& work) {
  constexpr double long_enough_s = 1e-3, in_all_s = 0.1, shortest_s = 1e-12;
  constexpr int most_times = 1 << 20;
  constexpr std::size_t least = 5;
  int times = 1;
  while (seconds_of_repeated(work, times) < long_enough_s && times < most_times) times *= 2;
  std::vector<double> took;
  for (double sum = 0; sum < in_all_s || took.size() < least; sum += took.back() * times)
    took.push_back(seconds_of_repeated(work, times) / times);
  const auto middle = took.begin() + static_cast<std::ptrdiff_t>(took.size() / 2);
  std::ranges::nth_element(took, middle);
  return std::max(*middle, shortest_s);
}

}  // namespace lagnet
