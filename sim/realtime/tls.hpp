#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "sim/realtime/stream.hpp"

namespace lagnet {

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
