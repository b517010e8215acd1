#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lagnet {

/// The bytes of one TCP connection, in plain text or encrypted (tls.hpp). At most one of each operation goes on at a
/// time; handlers run from the io_context alone.
class Stream {
 public:
  using Handler = std::function<void(const boost::system::error_code&, std::size_t bytes)>;

  virtual ~Stream() = default;
  /// What both sides do before the first byte of a frame.
  virtual void shake_hands(Handler done) = 0;
  virtual void read_some(boost::asio::mutable_buffer room, Handler done) = 0;
  virtual void write(const std::vector<boost::asio::const_buffer>& all, Handler done) = 0;
  virtual boost::asio::ip::tcp::socket& socket() = 0;
  /// Whether the other side has proved that it is that process, or nobody must prove it.
  virtual bool is_of(std::uint32_t process) const = 0;
  /// Why an operation failed.
  virtual std::string reason(const boost::system::error_code& error) const { return error.message(); }
};

std::unique_ptr<Stream> plain_stream(boost::asio::ip::tcp::socket socket);

}  // namespace lagnet
