#pragma once

namespace lagnet {

/// How large a graph will be, before it is made: exactly, or as expected of a random one. In doubles, so that no
/// product overflows; 0 if a file determines it.
struct GraphSize {
  double agents = 0, edges = 0;
};

}  // namespace lagnet
