#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/remark.hpp"
#include "sim/realtime/connection.hpp"
#include "sim/realtime/frames/frame.hpp"
#include "sim/realtime/peer_link.hpp"
#include "sim/realtime/stream.hpp"

namespace lagnet {

struct PeerAddress {
  std::string host;
  std::uint16_t port = 0;
};

/// A number for a start of a process, other than that of its start before: nanoseconds since 1970.
std::uint64_t now_as_number();

struct PeersOptions {
  std::uint32_t process = 0;
  std::vector<PeerAddress> addresses;  // by process
  std::vector<std::uint32_t> peers;    // whom this process has links with, ascending
  std::vector<std::uint32_t> left;     // those of them whose agents had ended before this process began, ascending
  int listener = -1;                   // a socket that already listens at the own address; -1: none
  std::uint64_t incarnation = 1;       // of this start of the process, above 0
  Hello::Digest scenario{};
  std::string build;
  FrameLimits limits;
  std::shared_ptr<const Tls> tls;  // encrypts all connections; null: they are in plain text
  LinkTimes times;
  std::chrono::milliseconds first_retry{50}, longest_retry{500};  // each one twice the one before
  std::chrono::milliseconds greeting{5000};                       // in which a connection must say whose it is
  std::size_t most_strangers = 64;  // connections that have not said it yet; one more ends the oldest
};

/// The other processes of a run: listens for those with larger numbers, calls those with smaller ones until they
/// answer, and again when a connection has failed.
class Peers {
 public:
  struct Handlers {
    std::function<void(std::uint32_t peer, const Frame&)> frame;  // once, and in order
    std::function<void(std::uint32_t peer, bool is_anew)> up;     // a connection exists; to a restarted process
    std::function<void(const Remark&)> warn;                      // the user's remark
    std::function<void(std::uint32_t peer, std::uint64_t sequence)> begun = {};  // as PeerLink::Handlers::begun
  };

  /// Throws RunError where it cannot listen at its own address.
  Peers(boost::asio::io_context& context, PeersOptions options, Handlers handlers);
  ~Peers();
  PeerLink& link(std::uint32_t peer) { return *links_.at(peer); }
  /// Whether a connection to each has stood, but for those that have left.
  bool have_met() const;
  /// Those that have not left, and to which no connection has stood since that time.
  std::vector<std::uint32_t> missing_since(Connection::Clock::time_point time) const;
  /// Throws RunError with the names of those to which no connection has stood for so long.
  void check_patience(std::chrono::milliseconds patience) const;
  /// Waits, for so long at most, until each has got all that was sent to it or has left, and closes. The context must
  /// not be running.
  void end(std::chrono::milliseconds patience);
  /// Whether each has got all that was sent to it, or has left.
  bool have_all() const;
  /// Tells all that the agents here have ended.
  void say_goodbye();
  /// Whether all have said so.
  bool have_left() const;
  /// Ends all connections after writing their data, and neither listens nor connects any more.
  void close();

 private:
  void listen();
  void accept();
  void greet(const std::shared_ptr<Connection>& stranger);
  void answer(const std::shared_ptr<Connection>& stranger, const Frame& frame);
  void refuse(const Connection& stranger, const std::string& why);
  std::shared_ptr<Connection> connection(boost::asio::ip::tcp::socket socket, TlsSide side) const;
  std::optional<std::string> difference(const Hello& theirs, const Connection& connection) const;
  void warn_once(std::uint32_t peer, const std::string& why);
  void call(std::uint32_t peer);
  void call_later(std::uint32_t peer);
  void called(std::uint32_t peer, const std::shared_ptr<Connection>& called_one, const Frame& frame);
  void lost(std::uint32_t peer, const std::string& why);
  void attach(std::uint32_t peer, const std::shared_ptr<Connection>& connection, const Hello& theirs);
  void say_goodbye_to(std::uint32_t peer);
  Hello greeting(std::uint32_t peer) const;
  void send_greeting(Connection& connection, std::uint32_t peer) const;
  std::string place_of(std::uint32_t peer) const;  // "process 3 at host:port"

  boost::asio::io_context& context_;
  const PeersOptions options_;
  const Handlers handlers_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::ip::tcp::resolver resolver_;
  std::map<std::uint32_t, std::unique_ptr<PeerLink>> links_;
  struct Call {
    boost::asio::steady_timer timer;
    std::chrono::milliseconds pause;
    std::string failure;  // the last reported one
  };
  std::map<std::uint32_t, Call> calls_;                // of the processes with smaller numbers
  std::deque<std::shared_ptr<Connection>> strangers_;  // by the time when they came
  std::size_t refused_ = 0;
  bool has_said_goodbye_ = false, is_closed_ = false;
};

}  // namespace lagnet
