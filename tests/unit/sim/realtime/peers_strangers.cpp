#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/draws.hpp"
#include "sim/realtime/certificates.hpp"
#include "sim/realtime/peers.hpp"
#include "tests/unit/sim/realtime/peers_support.hpp"
#include "tests/unit/sim/realtime/tls_keys.hpp"

namespace lagnet::strangers_test {

namespace {

using namespace peers_test;
namespace ssl = boost::asio::ssl;

tcp::endpoint at(std::uint16_t port) { return {boost::asio::ip::address_v4::loopback(), port}; }

/// Process 0, which listens, with short patience.
struct Listener {
  explicit Listener(std::shared_ptr<const Tls> tls = nullptr,
                    std::chrono::milliseconds greeting = std::chrono::milliseconds(5000)) {
    PeersOptions options = options_of(0, {0, 0});
    options.listener = listener_at(context, port);
    options.tls = std::move(tls);
    options.greeting = greeting;
    process = std::make_unique<Process>(context, options);
  }
  /// Process 1 comes, and one message of it arrives.
  void takes_its_peer(std::shared_ptr<const Tls> tls = nullptr) {
    PeersOptions calling = options_of(1, {port, 0});
    std::uint16_t unused = 0;
    calling.listener = listener_at(context, unused);
    calling.tls = std::move(tls);
    Process second(context, calling);
    run_until(context, [&] { return process->peers.have_met() && second.peers.have_met(); });
    second.send(8);
    run_until(context, [&] { return !process->rounds.empty(); });
    CHECK(process->rounds == std::vector<Round>{8});
    second.peers.close();
  }
  ~Listener() { process->peers.close(); }

  io_context context;
  std::uint16_t port = 0;
  std::unique_ptr<Process> process;
};

/// Whether the other side has ended a connection.
bool is_ended(tcp::socket& socket) {
  error_code error;
  char byte = 0;
  socket.non_blocking(true);
  while (socket.read_some(boost::asio::buffer(&byte, 1), error) > 0 && !error) {
  }
  return error != boost::asio::error::would_block;
}

void allow_files(rlim_t count) {
  rlimit limit{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, count));
  REQUIRE(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  REQUIRE(limit.rlim_cur >= count);
}

}  // namespace

TEST_CASE("Connections that send nothing or a wrong greeting are closed, and a peer still connects") {
  io_context context;
  std::uint16_t port = 0, unused = 0;
  PeersOptions listening = options_of(0, {0, 0});
  listening.listener = listener_at(context, port);
  listening.greeting = std::chrono::milliseconds(30);
  Process first(context, listening);
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
  Process second(context, calling);
  run_until(context, [&] { return first.peers.have_met() && second.peers.have_met(); });
  second.send(8);
  run_until(context, [&] { return !first.rounds.empty(); });
  CHECK(first.rounds == std::vector<Round>{8});
  first.peers.close();
  second.peers.close();
}

TEST_CASE("Few of a thousand silent connections are kept, and a peer still connects") {
  constexpr int connections = 1000, kept_at_most = 64;
  allow_files(connections + 200);
  Listener listener(nullptr, std::chrono::hours(1));
  std::vector<tcp::socket> strangers;
  for (int k = 0; k < connections; ++k) {
    strangers.emplace_back(listener.context).connect(at(listener.port));
    listener.context.poll();
  }
  const auto kept = [&] {
    return connections - std::ranges::count_if(strangers, [](tcp::socket& stranger) { return is_ended(stranger); });
  };
  run_until(listener.context, [&] { return kept() <= kept_at_most; });
  CHECK(kept() == kept_at_most);
  listener.takes_its_peer();
}

TEST_CASE("A connection that greets byte by byte is closed within the time for a greeting") {
  Listener listener(nullptr, std::chrono::milliseconds(50));
  tcp::socket slow(listener.context);
  slow.connect(at(listener.port));
  Hello hello;
  hello.process = 1;
  hello.incarnation = 1;
  const auto bytes = OutgoingFrame::hello(hello).bytes();
  boost::asio::steady_timer pause(listener.context);
  std::size_t written = 0;
  const std::function<void(const error_code&)> go_on = [&](const error_code&) {
    error_code ended;
    boost::asio::write(slow, boost::asio::buffer(&bytes[written], 1), ended);
    if (ended || ++written == bytes.size()) return;
    pause.expires_after(std::chrono::milliseconds(5));  // all of them: half a second or more
    pause.async_wait(go_on);
  };
  go_on({});
  run_until(listener.context, [&] { return is_ended(slow); });
  CHECK(written < bytes.size());
  pause.cancel();
  CHECK_FALSE(listener.process->peers.have_met());
  listener.takes_its_peer();
}

TEST_CASE("A greeting that claims to be large ends the connection before it arrives") {
  Listener listener(nullptr, std::chrono::hours(1));
  tcp::socket stranger(listener.context);
  stranger.connect(at(listener.port));
  const std::vector<std::byte> body(longest_hello + 1);
  const auto frame = OutgoingFrame::with_body({.kind = FrameKind::hello}, body).bytes();
  boost::asio::write(stranger, boost::asio::buffer(frame.data(), frame_header_bytes));
  run_until(listener.context, [&] { return is_ended(stranger); });
  CHECK(listener.process->has_warned_of("a frame of 1025 bytes, expected at most 1024"));
}

TEST_CASE("An encrypted connection that is replayed is refused") {
  const tls_test::Keys keys("replay");
  Listener listener(keys.tls(0));
  BreakingWire wire(listener.context, listener.port, 1, 0);
  PeersOptions calling = options_of(1, {wire.port(), 0});
  std::uint16_t unused = 0;
  calling.listener = listener_at(listener.context, unused);
  calling.tls = keys.tls(1);
  Process second(listener.context, calling);
  run_until(listener.context, [&] { return second.peers.have_met(); });
  second.send(3);
  run_until(listener.context, [&] { return !listener.process->rounds.empty(); });
  second.peers.close();
  wire.close();
  const std::string recorded = wire.sent_by_callers();
  REQUIRE(recorded.size() > 500);  // a handshake, a greeting, a message
  listener.process->warnings.clear();
  tcp::socket replayer(listener.context);
  replayer.connect(at(listener.port));
  boost::asio::write(replayer, boost::asio::buffer(recorded));
  run_until(listener.context, [&] { return listener.process->has_warned_of("refused a connection from"); });
  CHECK(listener.process->rounds == std::vector<Round>{3});
}

TEST_CASE("A caller whose certificate has expired is refused with these words") {
  tls_test::Keys keys("valid");
  const std::int64_t day_s = 86400, now_s = times_from_now(0).until_s;
  const tls_test::Keys old("expired", {now_s - 2 * day_s, now_s - day_s});
  keys.trust(old);
  Listener listener(keys.tls(0));
  ssl::context context(ssl::context::tls);
  context.use_certificate_chain_file(old.of(1).certificate.string());
  context.use_private_key_file(old.of(1).key.string(), ssl::context::pem);
  ssl::stream<tcp::socket> caller(listener.context, context);
  caller.next_layer().connect(at(listener.port));
  caller.async_handshake(ssl::stream_base::client, [](const error_code&) {});
  run_until(listener.context, [&] { return !listener.process->warnings.empty(); });
  CHECK(listener.process->has_warned_of("which has not greeted: its certificate is refused: certificate has expired"));
}

}  // namespace lagnet::strangers_test
