#include "sim/realtime/connection.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <iterator>

namespace lagnet {

namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

/// So many frames go into one call of the system, as long as they have no more bytes: what is large goes alone, so that
/// it is known how long the next one waits.
constexpr std::size_t most_at_once = 64, most_bytes_at_once = std::size_t{1} << 16;

/// Small messages leave at once; what the other side does not acknowledge within 2 s ends the connection.
void set_options(tcp::socket& socket) {
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  using UserTimeout = boost::asio::detail::socket_option::integer<IPPROTO_TCP, TCP_USER_TIMEOUT>;
  socket.set_option(UserTimeout(2000), ignored);
}

std::string address_of(const tcp::socket& socket) {
  error_code error;
  const tcp::endpoint end = socket.remote_endpoint(error);
  return error ? "nobody" : fmt::format("{}:{}", end.address().to_string(), end.port());
}

}  // namespace

Connection::Connection(std::unique_ptr<Stream> stream, const FrameLimits& limits)
    : stream_(std::move(stream)), reader_(limits), peer_address_(address_of(stream_->socket())) {
  set_options(stream_->socket());
}

void Connection::start(Handlers handlers) {
  handlers_ = std::make_shared<const Handlers>(std::move(handlers));
  if (std::exchange(has_begun_, true)) return;
  stream_->shake_hands([self = shared_from_this()](const error_code& error, std::size_t) {
    if (!self->is_open()) return;
    if (error) return self->fail(self->stream_->reason(error));
    self->has_shaken_hands_ = true;
    self->last_came_ = Clock::now();
    if (!self->waiting_.empty()) self->write_some();
    self->read();
  });
}

void Connection::read() {
  const std::span<std::byte> room = reader_.room();
  stream_->read_some(boost::asio::buffer(room.data(), room.size()),
                     [self = shared_from_this()](const error_code& error, std::size_t bytes) {
                       if (!self->is_open()) return;
                       if (error) return self->fail(self->stream_->reason(error));
                       self->last_came_ = Clock::now();
                       self->reader_.add(bytes);
                       self->take_frames();
                     });
}

void Connection::take_frames() {
  try {
    while (const auto frame = reader_.next()) {
      const auto handlers = handlers_;
      handlers->frame(*frame);
      if (!is_open()) return;
    }
  } catch (const FrameError& error) {
    return fail(error.what());
  }
  read();
}

void Connection::write(FrameBytes frame) {
  if (!is_open()) return;
  waiting_.push_back(std::move(frame));
  if (has_shaken_hands_ && writing_.empty()) write_some();
}

void Connection::write_some() {
  std::size_t count = 0, bytes = 0;
  do {
    bytes += waiting_[count]->size();
  } while (++count < std::min(most_at_once, waiting_.size()) && bytes + waiting_[count]->size() <= most_bytes_at_once);
  writing_.assign(std::make_move_iterator(waiting_.begin()),
                  std::make_move_iterator(waiting_.begin() + static_cast<std::ptrdiff_t>(count)));
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<boost::asio::const_buffer> buffers;
  buffers.reserve(3 * count);
  for (const FrameBytes& frame : writing_)
    for (const auto piece : frame->pieces())
      if (!piece.empty()) buffers.emplace_back(piece.data(), piece.size());
  const auto handlers = handlers_;
  for (std::size_t i = 0; i < count && handlers && handlers->begun; ++i) handlers->begun(*writing_[i]);
  stream_->write(buffers, [self = shared_from_this()](const error_code& error, std::size_t) {
    self->writing_.clear();
    if (!self->is_open()) return;
    if (error) return self->fail(self->stream_->reason(error));
    if (!self->waiting_.empty()) return self->write_some();
    if (self->closes_when_written_) self->close();
  });
}

void Connection::close() {
  error_code ignored;
  stream_->socket().shutdown(tcp::socket::shutdown_both, ignored);
  stream_->socket().close(ignored);
  waiting_.clear();
}

void Connection::close_when_written() {
  if (writing_.empty() && waiting_.empty()) return close();
  closes_when_written_ = true;
}

void Connection::fail(const std::string& why) {
  close();
  const auto handlers = std::exchange(handlers_, nullptr);
  if (handlers && handlers->closed) handlers->closed(why);
}

}  // namespace lagnet
