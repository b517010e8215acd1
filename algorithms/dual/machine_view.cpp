#include "algorithms/dual/machine_view.hpp"

#include <array>

namespace lagnet {

namespace {

// What a message brings beside v.
constexpr MessageTag x_too = 1, z_too = 2;

}  // namespace

void MachineView::answered(std::span<const Message> answers) {
  has_x_.assign(has_x_.size(), false);
  for (const Message& answer : answers) has_x_[answer.from] = has_z_[answer.from] = true;
}

MessageTag MachineView::brings(AgentId machine) const {
  return (!lean_ || !has_x_[machine] ? x_too : 0) | (has_z_[machine] ? 0 : z_too);
}

Payload MachineView::encode(MessageTag brings, const StateVector& v, const StateVector& x, const StateVector& z) {
  if (brings == (x_too | z_too)) return joined_payload(v, x, z);
  if (brings == x_too) return joined_payload(v, x);
  return brings == z_too ? joined_payload(v, z) : Payload(v);
}

void MachineView::send(Agent& me, Round t, std::span<const AgentId> machines, const StateVector& v,
                       const StateVector& x, const StateVector& z) const {
  std::array<Payload, 4> made;  // by tag
  for (const AgentId k : machines) {
    const MessageTag tag = brings(k);
    if (!made[tag]) made[tag] = encode(tag, v, x, z);
    me.send(k, t, made[tag], tag);
  }
}

bool MachineView::brings_x(const Message& request) { return (request.tag & x_too) != 0; }

MachineView::State MachineView::decode(const Message& request, Index d) {
  State state{.v = part_of(request.body, 0, d), .x = {}, .z = {}};
  if (brings_x(request)) state.x.emplace(part_of(request.body, 1, d));
  if ((request.tag & z_too) != 0) state.z.emplace(part_of(request.body, state.x ? 2 : 1, d));
  return state;
}

}  // namespace lagnet
