#include "algorithms/dual/machine_view.hpp"

#include <catch2/catch.hpp>

namespace lagnet::machine_view_test {

namespace {

const StateVector v(Vector{{1, 2}}), x(Vector{{3, 4}}), z(Vector{{5, 6}});

/// What a machine reads of the message that it is sent.
MachineView::State read(const MachineView& view, AgentId machine, Message& request) {
  const MessageTag brings = view.brings(machine);
  request = Message(0, 1, brings, MachineView::encode(brings, v, x, z));
  return MachineView::decode(request, 2);
}

}  // namespace

TEST_CASE("messages as the paper has them bring x each time, and z once to each machine") {
  MachineView view(3, false);
  Message request;
  view.new_z();
  const auto first = read(view, 1, request);
  CHECK(first.v == v);
  CHECK(first.x.value() == x);
  CHECK(first.z.value() == z);
  CHECK(request.body.size() == 6);
  view.answered(std::vector<Message>{Message(1, 1, 0, Vector{{0}})});
  CHECK(read(view, 1, request).x.value() == x);
  CHECK_FALSE(read(view, 1, request).z);
  CHECK(read(view, 2, request).z.value() == z);  // it has not answered
}

TEST_CASE("lean messages bring x only to machines that have missed a round") {
  MachineView view(3, true);
  Message request;
  CHECK_FALSE(read(view, 1, request).x);
  CHECK(request.body.size() == 2);
  CHECK_FALSE(MachineView::brings_x(request));
  view.answered(std::vector<Message>{Message(1, 1, 0, Vector{{0}})});
  view.new_z();
  const auto stays = read(view, 1, request);
  CHECK(stays.v == v);
  CHECK_FALSE(stays.x);
  CHECK(stays.z.value() == z);
  const auto missed = read(view, 2, request);
  CHECK(missed.x.value() == x);
  CHECK(missed.z.value() == z);
}

}  // namespace lagnet::machine_view_test
