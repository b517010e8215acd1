#include "sim/realtime/peers.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/sim/realtime/peers_support.hpp"

namespace lagnet::peers_test {

TEST_CASE("Messages come once and in order over connections that break anywhere") {
  constexpr Round messages = 400;
  for (const std::size_t bytes : {1, 100, 1000, 5003, 20011}) {
    io_context context;
    std::uint16_t port = 0, unused = 0;
    PeersOptions listening = options_of(0, {0, 0}), calling = listening;
    listening.listener = listener_at(context, port);
    BreakingWire wire(context, port, bytes, 40);
    calling = options_of(1, {wire.port(), 0});
    calling.listener = listener_at(context, unused);
    Process first(context, listening), second(context, calling);
    run_until(context, [&] { return first.peers.have_met() && second.peers.have_met(); });
    for (Round round = 0; round < messages; ++round) {
      first.send(round);
      second.send(round);
      if (round % 8 == 0) context.poll();
    }
    run_until(context, [&] { return first.peers.have_all() && second.peers.have_all(); });
    CHECK(first.rounds == first_rounds(messages));
    CHECK(second.rounds == first_rounds(messages));
    CHECK(wire.breaks_left() < 40);
    first.peers.close();
    second.peers.close();
    wire.close();
  }
}

TEST_CASE("A message refused once is sent again over the next connection, whichever side connects") {
  for (const bool caller_refuses : {false, true}) {
    io_context context;
    std::uint16_t port = 0, unused = 0;
    PeersOptions listening = options_of(0, {0, 0});
    listening.listener = listener_at(context, port);
    PeersOptions calling = options_of(1, {port, 0});
    calling.listener = listener_at(context, unused);
    Process first(context, listening), second(context, calling);
    Process& refusing = caller_refuses ? second : first;
    refusing.refuses_after = 5;
    refusing.refusals = 1;
    run_until(context, [&] { return first.peers.have_met() && second.peers.have_met(); });
    for (Round round = 0; round < 20; ++round) {
      first.send(round);
      second.send(round);
    }
    run_until(context, [&] { return first.rounds.size() == 20 && second.rounds.size() == 20; });
    CHECK(first.rounds == first_rounds(20));
    CHECK(second.rounds == first_rounds(20));
    CHECK(refusing.has_warned_of("has failed: a message that is refused"));
    first.peers.close();
    second.peers.close();
  }
}

TEST_CASE("A message that is refused again after a new connection ends the run") {
  io_context context;
  std::uint16_t port = 0, unused = 0;
  PeersOptions listening = options_of(0, {0, 0});
  listening.listener = listener_at(context, port);
  PeersOptions calling = options_of(1, {port, 0});
  calling.listener = listener_at(context, unused);
  Process first(context, listening), second(context, calling);
  first.refusals = 2;
  run_until(context, [&] { return first.peers.have_met() && second.peers.have_met(); });
  second.send(0);
  CHECK_THROWS_WITH(run_until(context, [] { return false; }),
                    "process 1 sends what cannot be taken, again after a new connection: a message that is refused");
}

TEST_CASE("A restarted process is greeted as one without state") {
  io_context context;
  std::uint16_t port = 0, unused = 0;
  PeersOptions listening = options_of(0, {0, 0});
  listening.listener = listener_at(context, port);
  Process first(context, listening);
  for (const std::uint64_t incarnation : {5, 6, 7}) {
    PeersOptions calling = options_of(1, {port, 0});
    calling.listener = listener_at(context, unused);
    calling.incarnation = incarnation;
    Process second(context, calling);
    run_until(context, [&] { return second.peers.have_met(); });
    for (Round round = 0; round < 3; ++round) second.send(round);
    run_until(context, [&] { return second.peers.have_all(); });
    first.send(static_cast<Round>(incarnation));
    run_until(context, [&] { return !second.rounds.empty(); });
    CHECK(second.rounds == std::vector<Round>{static_cast<Round>(incarnation)});
    second.peers.close();
  }
  run_until(context, [&] { return first.rounds.size() == 9; });
  CHECK(first.rounds == std::vector<Round>{0, 1, 2, 0, 1, 2, 0, 1, 2});
  first.peers.close();
}

TEST_CASE("Nothing is lost where a connection breaks after the greeting of one side only") {
  io_context context;
  std::uint16_t port = 0, unused = 0;
  PeersOptions listening = options_of(0, {0, 0});
  listening.listener = listener_at(context, port);
  BreakingWire wire(context, port, OutgoingFrame::hello({}).size(), 1);
  PeersOptions calling = options_of(1, {wire.port(), 0});
  calling.listener = listener_at(context, unused);
  Process first(context, listening), second(context, calling);
  run_until(context, [&] { return first.peers.have_met(); });
  CHECK_FALSE(second.peers.have_met());
  for (Round round = 0; round < 3; ++round) first.send(round);
  run_until(context, [&] { return second.rounds.size() == 3; });
  CHECK(second.rounds == first_rounds(3));
  first.peers.close();
  second.peers.close();
  wire.close();
}

TEST_CASE("A restarted process gets no frames of its former life even if only it has heard a greeting") {
  io_context context;
  std::uint16_t port = 0, unused = 0;
  PeersOptions listening = options_of(0, {0, 0});
  listening.listener = listener_at(context, port);
  BreakingWire wire(context, port, 0, 0);
  PeersOptions calling = options_of(1, {wire.port(), 0});
  calling.listener = listener_at(context, unused);
  Process caller(context, calling);
  Process killed(context, listening);
  run_until(context, [&] { return killed.peers.have_met() && caller.peers.have_met(); });
  for (Round round = 0; round < 3; ++round) caller.send(round);
  run_until(context, [&] { return killed.rounds.size() == 3; });
  wire.break_next_after(OutgoingFrame::hello({}).size());
  killed.peers.close();
  run_until(context, [&] { return !caller.peers.link(0).is_up(); });
  caller.send(3);
  PeersOptions again = options_of(0, {port, 0});
  again.incarnation = 2;
  Process anew(context, again);
  run_until(context, [&] { return wire.breaks_left() == 0 && anew.peers.have_met() && caller.peers.link(0).is_up(); });
  caller.send(4);
  run_until(context, [&] { return !anew.rounds.empty(); });
  CHECK(anew.rounds == std::vector<Round>{4});
  anew.peers.close();
  caller.peers.close();
  wire.close();
}

TEST_CASE("A process that has said goodbye hears later goodbyes and does not take them for failures") {
  io_context context;
  std::uint16_t port = 0, unused = 0;
  PeersOptions listening = options_of(0, {0, 0});
  listening.listener = listener_at(context, port);
  PeersOptions calling = options_of(1, {port, 0});
  calling.listener = listener_at(context, unused);
  Process first(context, listening), second(context, calling);
  run_until(context, [&] { return first.peers.have_met() && second.peers.have_met(); });
  second.peers.say_goodbye();
  run_until(context, [&] { return first.peers.have_left(); });
  first.peers.say_goodbye();
  first.peers.close();
  run_until(context, [&] { return !second.peers.link(0).is_up(); });
  CHECK(second.peers.have_left());
  CHECK(second.warnings == std::vector<std::string>());
  second.peers.close();
}

TEST_CASE("Messages for a stuck peer are bounded") {
  io_context context;
  std::uint16_t port = 0;
  PeersOptions listening = options_of(0, {0, 0});
  listening.listener = listener_at(context, port);
  Process first(context, listening);
  constexpr Index numbers = 1 << 23;
  const Message message(0, 1, 0, Vector::Constant(numbers, 1.0));  // all frames share its numbers
  const auto send = [&] {
    first.peers.link(1).send(FrameKind::message, [&](const FrameHeader& header) {
      return OutgoingFrame::message(header, 0, Time(), message);
    });
  };
  const auto fitting = most_waiting / (numbers * sizeof(double) + 1);
  for (std::size_t k = 0; k < fitting; ++k) send();
  CHECK(first.peers.link(1).unacknowledged() == fitting);
  CHECK_THROWS_WITH(send(), Catch::Contains("process 1 does not take what is sent to it: 16 messages of 107"));
}

}  // namespace lagnet::peers_test
