#pragma once

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/realtime/peers.hpp"

namespace lagnet::peers_test {

using boost::asio::io_context;
using boost::asio::ip::tcp;
using boost::system::error_code;

inline tcp::endpoint any_port() { return {boost::asio::ip::address_v4::loopback(), 0}; }

/// Stands between a caller and a listener, and breaks each connection after some bytes, anywhere in a frame. It keeps
/// what callers have sent.
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
  const std::string& sent_by_callers() const { return sent_by_callers_; }
  void close() { acceptor_.close(); }
  /// Breaks the next connection after these bytes.
  void break_next_after(std::size_t bytes) {
    bytes_until_break_ = bytes;
    breaks_left_ = 1;
  }

 private:
  struct Pair {
    explicit Pair(io_context& context) : caller(context), listener(context) {}
    tcp::socket caller, listener;
    std::size_t left = 0;
    std::array<char, 1500> out{}, in{};
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
  void pump(const std::shared_ptr<Pair>& pair, tcp::socket& from, tcp::socket& to, std::array<char, 1500>& space) {
    from.async_read_some(boost::asio::buffer(space),
                         [this, pair, &from, &to, &space](const error_code& over, std::size_t n) {
                           if (over) return end(*pair);
                           const bool breaks = breaks_left_ > 0 && n >= pair->left;
                           const std::size_t passed = breaks ? pair->left : n;
                           pair->left -= std::min(pair->left, n);
                           if (&from == &pair->caller) sent_by_callers_.append(space.data(), n);
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
  std::string sent_by_callers_;
};

/// One of two processes, which sends numbered messages to the other one, and notes what comes.
struct Process {
  Process(
      io_context& context, PeersOptions options, std::function<void()> ready = [] {})
      : peer(1 - options.process),
        peers(context, std::move(options),
              {[this](std::uint32_t, const Frame& frame) {
                 if (frame.header.kind != FrameKind::message) return;
                 if (refusals > 0 && rounds.size() == refuses_after) {
                   --refusals;
                   throw FrameError("a message that is refused");
                 }
                 const LinkMessage came = read_message(frame, {.largest_body = 1 << 16, .links = 2});
                 rounds.push_back(came.message.round);
               },
               [ready = std::move(ready)](std::uint32_t, bool) { ready(); },
               [this](const Remark& one) { warnings.push_back(one.text); }}) {}
  void send(Round round) {
    const Message message(own_id(), round, 0, Vector::Constant(20, 1.0));
    peers.link(peer).send(FrameKind::message, [&](const FrameHeader& header) {
      return OutgoingFrame::message(header, own_id(), Time(), message);
    });
  }
  std::uint32_t own_id() const { return 1 - peer; }
  bool has_warned_of(const std::string& words) const {
    for (const std::string& text : warnings)
      if (text.find(words) != std::string::npos) return true;
    return false;
  }

  std::uint32_t peer;
  std::vector<Round> rounds;
  std::size_t refuses_after = 0;  // messages
  int refusals = 0;               // of the next one
  std::vector<std::string> warnings;
  Peers peers;
};

inline PeersOptions options_of(std::uint32_t process, const std::vector<std::uint16_t>& ports) {
  PeersOptions options;
  options.process = process;
  for (const std::uint16_t port : ports) options.addresses.push_back({"127.0.0.1", port});
  options.peers = {1 - process};
  options.limits = {.largest_body = 1 << 16, .links = 2};
  options.first_retry = std::chrono::milliseconds(1);
  options.longest_retry = std::chrono::milliseconds(5);
  return options;
}

/// A socket that listens at a port that was free.
inline int listener_at(io_context& context, std::uint16_t& port) {
  tcp::acceptor acceptor(context, any_port());
  acceptor.listen();
  port = acceptor.local_endpoint().port();
  return acceptor.release();
}

inline void run_until(io_context& context, const std::function<bool()>& is_over) {
  const auto last = Connection::Clock::now() + std::chrono::minutes(2);
  while (!is_over()) {
    REQUIRE(Connection::Clock::now() < last);
    context.run_one_for(std::chrono::milliseconds(100));
  }
}

inline std::vector<Round> first_rounds(Round count) {
  std::vector<Round> rounds;
  for (Round round = 0; round < count; ++round) rounds.push_back(round);
  return rounds;
}

}  // namespace lagnet::peers_test
