#include "sim/realtime/peers.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sim/base/draws.hpp"

namespace lagnet::peers_test {

namespace {

using boost::asio::io_context;
using boost::asio::ip::tcp;
using boost::system::error_code;

tcp::endpoint any_port() { return {boost::asio::ip::address_v4::loopback(), 0}; }

/// Stands between a caller and a listener, and breaks each connection after some bytes, anywhere in a frame.
class BreakingWire {
 public:
  BreakingWire(io_context& context, std::uint16_t to, std::size_t bytes_until_break, int breaks)
      : context_(context),
        acceptor_(context, any_port()),
        to_(boost::asio::ip::address_v4::loopback(), to),
        bytes_until_break_(bytes_until_break),
        breaks_left_(breaks) {
    accept();
  }
  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  int breaks_left() const { return breaks_left_; }
  void close() { acceptor_.close(); }

 private:
  struct Pair {
    explicit Pair(io_context& context) : caller(context), listener(context) {}
    tcp::socket caller, listener;
    std::size_t left = 0;
    std::array<std::byte, 1500> out{}, in{};
  };
  void accept() {
    const auto pair = std::make_shared<Pair>(context_);
    acceptor_.async_accept(pair->caller, [this, pair](const error_code& error) {
      if (error) return;
      error_code refused;
      pair->listener.connect(to_, refused);
      pair->left = bytes_until_break_;
      if (!refused) {
        pump(pair, pair->caller, pair->listener, pair->out);
        pump(pair, pair->listener, pair->caller, pair->in);
      }
      accept();
    });
  }
  void pump(const std::shared_ptr<Pair>& pair, tcp::socket& from, tcp::socket& to, std::array<std::byte, 1500>& space) {
    from.async_read_some(boost::asio::buffer(space),
                         [this, pair, &from, &to, &space](const error_code& over, std::size_t n) {
                           if (over) return end(*pair);
                           const bool breaks = breaks_left_ > 0 && n >= pair->left;
                           const std::size_t passed = breaks ? pair->left : n;
                           pair->left -= std::min(pair->left, n);
                           error_code failed;
                           boost::asio::write(to, boost::asio::buffer(space.data(), passed), failed);
                           if (breaks && pair->caller.is_open()) {
                             --breaks_left_;
                             return end(*pair);
                           }
                           if (failed) return end(*pair);
                           pump(pair, from, to, space);
                         });
  }
  static void end(Pair& pair) {
    error_code ignored;
    pair.caller.close(ignored);
    pair.listener.close(ignored);
  }

  io_context& context_;
  tcp::acceptor acceptor_;
  tcp::endpoint to_;
  std::size_t bytes_until_break_;
  int breaks_left_;
};

/// A process that sends numbered messages to another one, and notes what comes.
struct Process {
  Process(io_context& context, PeersOptions options, std::function<void()> ready)
      : peer(1 - options.process),
        peers(context, std::move(options),
              {[this](std::uint32_t, const Frame& frame) {
                 if (frame.header.kind != FrameKind::message) return;
                 const LinkMessage came = read_message(frame, {.largest_body = 1 << 16, .links = 2});
                 rounds.push_back(came.message.round);
               },
               [ready = std::move(ready)](std::uint32_t) { ready(); },
               [this](const std::string& text) { warnings.push_back(text); }}) {}
  void send(Round round) {
    const Message message(peers_id(), round, 0, Vector::Constant(20, 1.0));
    peers.link(peer).send(FrameKind::message, [&](const FrameHeader& header) {
      return OutgoingFrame::message(header, peers_id(), Time(), message);
    });
  }
  std::uint32_t peers_id() const { return 1 - peer; }

  std::uint32_t peer;
  std::vector<Round> rounds;
  std::vector<std::string> warnings;
  Peers peers;
};

PeersOptions options_of(std::uint32_t process, const std::vector<std::uint16_t>& ports) {
  PeersOptions options;
  options.process = process;
  for (const std::uint16_t port : ports) options.addresses.push_back({"127.0.0.1", port});
  options.peers = {1 - process};
  options.limits = {.largest_body = 1 << 16, .links = 2};
  options.first_retry = std::chrono::milliseconds(1);
  options.longest_retry = std::chrono::milliseconds(5);
  return options;
}

int listener_at(io_context& context, std::uint16_t& port) {
  tcp::acceptor acceptor(context, any_port());
  port = acceptor.local_endpoint().port();
  return acceptor.release();
}

void run_until(io_context& context, const std::function<bool()>& is_over) {
  const auto last = Connection::Clock::now() + std::chrono::minutes(2);
  while (!is_over()) {
    REQUIRE(Connection::Clock::now() < last);
    context.run_one_for(std::chrono::milliseconds(100));
  }
}

std::vector<Round> first_rounds(Round count) {
  std::vector<Round> rounds;
  for (Round round = 0; round < count; ++round) rounds.push_back(round);
  return rounds;
}

}  // namespace

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
    Process first(context, listening, [] {}), second(context, calling, [] {});
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

TEST_CASE("A process that was started anew is greeted as one that knows nothing") {
  io_context context;
  std::uint16_t port = 0, unused = 0;
  PeersOptions listening = options_of(0, {0, 0});
  listening.listener = listener_at(context, port);
  Process first(context, listening, [] {});
  for (const std::uint64_t incarnation : {5, 6, 7}) {
    PeersOptions calling = options_of(1, {port, 0});
    calling.listener = listener_at(context, unused);
    calling.incarnation = incarnation;
    Process second(context, calling, [] {});
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

TEST_CASE("Strangers that say nothing or something else are let go, and a peer still comes in") {
  io_context context;
  std::uint16_t port = 0, unused = 0;
  PeersOptions listening = options_of(0, {0, 0});
  listening.listener = listener_at(context, port);
  listening.greeting = std::chrono::milliseconds(30);
  Process first(context, listening, [] {});
  std::vector<tcp::socket> strangers;
  Draws random(3, Purpose("test"));
  for (int k = 0; k < 100; ++k) {
    tcp::socket& stranger = strangers.emplace_back(context);
    stranger.connect({boost::asio::ip::address_v4::loopback(), port});
    std::string text = k % 3 == 0 ? "" : "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    if (k % 3 == 2)
      for (char& letter : text) letter = static_cast<char>(random.bits());
    error_code ignored;
    boost::asio::write(stranger, boost::asio::buffer(text), ignored);
    context.poll();
  }
  PeersOptions calling = options_of(1, {port, 0});
  calling.listener = listener_at(context, unused);
  Process second(context, calling, [] {});
  run_until(context, [&] { return first.peers.have_met() && second.peers.have_met(); });
  second.send(8);
  run_until(context, [&] { return !first.rounds.empty(); });
  CHECK(first.rounds == std::vector<Round>{8});
  first.peers.close();
  second.peers.close();
}

}  // namespace lagnet::peers_test
