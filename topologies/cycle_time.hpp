#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "topologies/topology.hpp"

/// How long a round takes where everybody waits for some others: the eigenvalue of a max-plus matrix.
namespace lagnet {

/// An event of a round cannot happen before another one has: x_to(k) >= x_from(k - rounds) + seconds, where x(k) are
/// the moments of the events in round k.
struct TimedArc {
  std::size_t from = 0;
  std::size_t to = 0;
  double seconds = 0;
  int rounds = 0;  // 0: in the same round; 1: in the round before
};

struct CycleTime {
  double seconds = 0;              // a round
  std::vector<std::size_t> cycle;  // the arcs that it is for, in their order, by their places in the list
};

/// The simulated time of a round in the long run, if every event happens as soon as it may: the largest ratio of
/// seconds to rounds among the cycles of the graph. F. Baccelli, G. Cohen, G. J. Olsder, J.-P. Quadrat,
/// "Synchronization and linearity" (1992), theorem 3.23. By Howard's policy iteration (boost::maximum_cycle_ratio; A.
/// Dasdan, "Experimental analysis of the fastest optimum cycle ratio and mean algorithms", 2004), which may take one
/// cycle for another whose ratios differ by less than 1e-12 of the longest arc. 0 and no cycle for a graph without
/// cycles, where no round waits for the one before. Throws Diagnosed that names each arc with an end that is no
/// event, seconds that are not finite or below 0, or rounds below 0, and the events of a cycle without rounds, which
/// would wait for themselves.
CycleTime cycle_time(std::size_t events, std::span<const TimedArc> arcs);

}  // namespace lagnet
