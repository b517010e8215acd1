// How fast two processes exchange messages over TCP: lagnet's frames, with sequence numbers, checksums and
// acknowledgements, beside a bare echo of Boost.Asio with as many bytes.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "sim/realtime/addresses.hpp"
#include "sim/realtime/peers.hpp"

namespace lagnet {

namespace {

using boost::asio::io_context;
using boost::asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds measured{300};
constexpr int repetitions = 5;

/// Sends messages of equal size, so many on the way at once, and counts those that have come back.
struct Exchange {
  std::size_t numbers;
  int window;
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Echoes per second, by a function that lets the context run and gives the count so far.
double rate(io_context& context, const std::int64_t& count) {
  std::vector<double> rates;
  for (int repetition = 0; repetition <= repetitions; ++repetition) {  // the first one warms up
    const auto begin = Clock::now();
    const std::int64_t before = count;
    while (Clock::now() - begin < measured) context.run_one_for(measured);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (repetition > 0) rates.push_back(static_cast<double>(count - before) / seconds);
  }
  return median(rates);
}

// Bare

/// One side of an echo of whole messages: reads one, writes it back.
class BareEcho : public std::enable_shared_from_this<BareEcho> {
 public:
  BareEcho(tcp::socket socket, std::size_t bytes) : socket_(std::move(socket)), bytes_(bytes), came_(bytes) {
    socket_.set_option(tcp::no_delay(true));
  }
  void read() {
    boost::asio::async_read(socket_, boost::asio::buffer(came_),
                            [self = shared_from_this()](const error_code& error, std::size_t) {
                              if (error) return;
                              ++self->count_;
                              self->send();
                              self->read();
                            });
  }
  void send() {
    if (waiting_++ == 0) write();
  }
  const std::int64_t& count() const { return count_; }

 private:
  void write() {
    boost::asio::async_write(socket_, boost::asio::buffer(came_),
                             [self = shared_from_this()](const error_code& error, std::size_t) {
                               if (!error && --self->waiting_ > 0) self->write();
                             });
  }
  tcp::socket socket_;
  std::size_t bytes_;
  std::vector<std::byte> came_;
  int waiting_ = 0;
  std::int64_t count_ = 0;
};

double bare_rate(const Exchange& exchange) {
  const std::size_t bytes = exchange.numbers * sizeof(double);
  LoopbackListeners listeners(1);
  io_context context;
  const pid_t child = ::fork();
  if (child == 0) {
    tcp::acceptor acceptor(context, tcp::v4(), listeners.take(0));
    const auto echo = std::make_shared<BareEcho>(acceptor.accept(), bytes);
    echo->read();
    context.run();
    ::_exit(0);
  }
  tcp::socket socket(context);
  socket.connect({boost::asio::ip::address_v4::loopback(), listeners.addresses()[0].port});
  const auto echo = std::make_shared<BareEcho>(std::move(socket), bytes);
  echo->read();
  for (int k = 0; k < exchange.window; ++k) echo->send();
  const double found = rate(context, echo->count());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return found;
}

// Frames

/// One side of an echo of messages.
class FrameEcho {
 public:
  FrameEcho(io_context& context, PeersOptions options)
      : peer_(1 - options.process),
        peers_(context, std::move(options),
               {[this](std::uint32_t, const Frame& frame) { echo(frame); },
                [this](std::uint32_t, bool) { is_up_ = true; }, [](const std::string&) {}}) {}
  void send(const Message& message) {
    peers_.link(peer_).send(FrameKind::message, [&](const FrameHeader& header) {
      return OutgoingFrame::message(header, 1 - peer_, Time(), message);
    });
  }
  bool is_up() const { return is_up_; }
  const std::int64_t& count() const { return count_; }

 private:
  void echo(const Frame& frame) {
    ++count_;
    send(read_message(frame, {.links = 2}).message);
  }
  std::uint32_t peer_;
  bool is_up_ = false;
  std::int64_t count_ = 0;
  Peers peers_;
};

double frame_rate(const Exchange& exchange) {
  LoopbackListeners listeners(2);
  const auto options_of = [&](std::uint32_t process) {
    PeersOptions options;
    options.process = process;
    options.addresses = listeners.addresses();
    options.peers = {1 - process};
    options.listener = listeners.take(process);
    options.limits = {.largest_body = std::size_t{1} << 28, .links = 2};
    return options;
  };
  const pid_t child = ::fork();
  io_context context;
  if (child == 0) {
    FrameEcho echo(context, options_of(0));
    context.run();
    ::_exit(0);
  }
  FrameEcho echo(context, options_of(1));
  while (!echo.is_up()) context.run_one();
  const Message message(1, 1, 0, Vector::Constant(static_cast<Index>(exchange.numbers), 1.5));
  for (int k = 0; k < exchange.window; ++k) echo.send(message);
  const double found = rate(context, echo.count());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return found;
}

void run() {
  fmt::print(
      "| bytes | on the way | bare, 1/s | frames, 1/s | ratio | frames, MB/s both ways |\n|---|---|---|---|---|---|\n");
  for (const std::size_t numbers : {16, 128, 1280, 12800, 128000})
    for (const int window : {1, 16}) {
      const Exchange exchange{numbers, window};
      const double bare = bare_rate(exchange), frames = frame_rate(exchange);
      const double bytes = static_cast<double>(numbers * sizeof(double));
      fmt::print("| {} | {} | {:.0f} | {:.0f} | {:.2f} | {:.0f} |\n", bytes, window, bare, frames, frames / bare,
                 2e-6 * bytes * frames);
    }
}

}  // namespace

}  // namespace lagnet

int main() { lagnet::run(); }
