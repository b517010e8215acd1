#pragma once

#include "sim/base/types.hpp"

namespace lagnet {

/// A half-open span of time.
struct Window {
  Time from;
  Time until = Time::never();
  bool contains(Time t) const { return from <= t && t < until; }
};

}  // namespace lagnet
