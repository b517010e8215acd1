#include "algorithms/dual/dispa.hpp"

namespace lagnet {

// Algorithm 1, whose phases stand in saddle.cpp.
Task<> Dispa::center(Agent& me, SharedReveal revealed) const {
  Center at = center_at_start(me);
  co_await begin(me, at);
  co_await rounds(me, at, revealed, 1, given().rounds);
}

}  // namespace lagnet
