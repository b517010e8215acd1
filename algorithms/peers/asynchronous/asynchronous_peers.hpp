#pragma once

#include <vector>

#include "algorithms/peers/bases/peers.hpp"

namespace lagnet {

/// Peers that hold samples and have no rounds. All start at the same point.
class AsynchronousPeers : public PeerAlgorithm {
 public:
  std::vector<Vector> first_report(AgentId agent) const override {
    return given().timing_only ? PeerAlgorithm::first_report(agent) : std::vector<Vector>{start()};
  }

 protected:
  using PeerAlgorithm::PeerAlgorithm;

  /// Those whose limit would be another one are refused crashes that take an agent's state.
  bool forgets_starts() const override { return true; }
  /// theta_0 (d).
  Vector start() const { return given().start.size() > 0 ? given().start : Vector(Vector::Zero(d())); }
  StateVector start(const Agent& me) const { return me.timing_only() ? me.vector(d()) : StateVector(start()); }
};

}  // namespace lagnet
