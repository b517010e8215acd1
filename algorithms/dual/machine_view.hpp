#pragma once

#include <optional>
#include <span>
#include <vector>

#include "algorithms/interface/rounds.hpp"

namespace lagnet {

/// Records which of the center's vectors the machines have, and so what a request brings them. It always brings v, and
/// z once a stage. It brings x always in the paper's messages; in lean ones only if a machine has missed a round and
/// cannot compute x.
class MachineView {
 public:
  MachineView(Index agents, bool lean) : lean_(lean), has_x_(agents, true), has_z_(agents, true) {}
  void new_z() { has_z_.assign(has_z_.size(), false); }
  /// A machine that has answered has got all that was sent, and can compute the next x.
  void answered(std::span<const Message> answers);
  /// What a message brings to a machine beside v: its tag.
  MessageTag brings(AgentId machine) const;
  /// v, and x and z as the tag says (d each).
  static Payload encode(MessageTag brings, const StateVector& v, const StateVector& x, const StateVector& z);
  /// Sends each of them what it lacks.
  void send(Agent& me, Round t, std::span<const AgentId> machines, const StateVector& v, const StateVector& x,
            const StateVector& z) const;
  static bool brings_x(const Message& request);
  struct State {
    VectorView v;
    std::optional<VectorView> x, z;
  };
  static State decode(const Message& request, Index d);

 private:
  bool lean_;
  std::vector<bool> has_x_, has_z_;  // by agent
};

}  // namespace lagnet
