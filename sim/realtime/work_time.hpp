#pragma once

#include <functional>

namespace lagnet {

/// How long some work takes on this computer, in s: the median of many times, for at least 0.1 s.
double seconds_of_work(const std::function<void()>& work);

}  // namespace lagnet
