#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lagnet {

/// The bytes of one TCP connection, in plain text or encrypted. At most one of each operation goes on at a
/// time; handlers run from the io_context alone.
class Stream {
 public:
  using Handler = std::function<void(const boost::system::error_code&, std::size_t bytes)>;

  virtual ~Stream() = default;
  /// The steps of both sides before the first byte of a frame.
  virtual void shake_hands(Handler done) = 0;
  virtual void read_some(boost::asio::mutable_buffer room, Handler done) = 0;
  virtual void write(const std::vector<boost::asio::const_buffer>& all, Handler done) = 0;
  virtual boost::asio::ip::tcp::socket& socket() = 0;
  /// Whether the other side has proved its identity, or no proof is required.
  virtual bool is_of(std::uint32_t process) const = 0;
  /// Why an operation failed.
  virtual std::string reason(const boost::system::error_code& error) const { return error.message(); }
};

std::unique_ptr<Stream> plain_stream(boost::asio::ip::tcp::socket socket);

/// Who calls is the client of a connection's handshake.
enum class TlsSide { calls, listens };

/// By what a process proves who it is, and checks who others are: files in PEM.
struct TlsFiles {
  std::filesystem::path authority;    // the certificate of who has signed those of all processes
  std::filesystem::path certificate;  // of this process
  std::filesystem::path key;          // of that certificate
};

/// Encrypts connections by TLS 1.3. Each side must have a certificate of the same authority.
class Tls {
 public:
  /// Throws RunError for files that cannot be read or do not belong together, and for a certificate that is not of
  /// that process or is out of date.
  Tls(const TlsFiles& files, std::uint32_t process);
  ~Tls();
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;
  std::unique_ptr<Stream> stream(boost::asio::ip::tcp::socket socket, TlsSide side) const;

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// The name in a certificate by which a process is known.
std::string certificate_name(std::uint32_t process);

}  // namespace lagnet
