#include "sim/realtime/stream.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

class PlainStream final : public Stream {
 public:
  explicit PlainStream(boost::asio::ip::tcp::socket socket) : socket_(std::move(socket)) {}
  void shake_hands(Handler done) override {
    boost::asio::post(socket_.get_executor(), [done = std::move(done)] { done({}, 0); });
  }
  void read_some(boost::asio::mutable_buffer room, Handler done) override {
    socket_.async_read_some(room, std::move(done));
  }
  void write(const std::vector<boost::asio::const_buffer>& all, Handler done) override {
    boost::asio::async_write(socket_, all, std::move(done));
  }
  boost::asio::ip::tcp::socket& socket() override { return socket_; }
  bool is_of(std::uint32_t) const override { return true; }

 private:
  boost::asio::ip::tcp::socket socket_;
};

namespace ssl = boost::asio::ssl;
using boost::asio::ip::tcp;
using boost::system::error_code;

bool names(X509* certificate, std::uint32_t process) {
  const std::string name = certificate_name(process);
  return X509_check_host(certificate, name.data(), name.size(), X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, nullptr) == 1;
}

class TlsStream final : public Stream {
 public:
  TlsStream(tcp::socket socket, ssl::context& context, TlsSide side)
      : stream_(std::move(socket), context), side_(side) {}
  void shake_hands(Handler done) override {
    const auto type = side_ == TlsSide::calls ? ssl::stream_base::client : ssl::stream_base::server;
    stream_.async_handshake(type, [done = std::move(done)](const error_code& error) { done(error, 0); });
  }
  void read_some(boost::asio::mutable_buffer room, Handler done) override {
    stream_.async_read_some(room, std::move(done));
  }
  void write(const std::vector<boost::asio::const_buffer>& all, Handler done) override {
    boost::asio::async_write(stream_, all, std::move(done));
  }
  tcp::socket& socket() override { return stream_.next_layer(); }
  bool is_of(std::uint32_t process) const override {
    X509* certificate = SSL_get0_peer_certificate(handle());
    return certificate != nullptr && names(certificate, process);
  }
  std::string reason(const error_code& error) const override {
    const long verified = SSL_get_verify_result(handle());
    if (error.category() == boost::asio::error::get_ssl_category() && verified != X509_V_OK)
      return fmt::format("its certificate is refused: {}", X509_verify_cert_error_string(verified));
    return error.message();
  }

 private:
  SSL* handle() const { return const_cast<ssl::stream<tcp::socket>&>(stream_).native_handle(); }

  ssl::stream<tcp::socket> stream_;
  TlsSide side_;
};

/// As ssh does: of a file that belongs to another user, its owner decides who reads it.
void check_private(const std::filesystem::path& key) {
  struct stat found {};
  if (::stat(key.c_str(), &found) != 0 || found.st_uid != ::geteuid() || (found.st_mode & 077u) == 0) return;
  throw RunError(
      fmt::format("{0}: expected a private key that its owner alone can read, found mode {1:04o}; run `chmod 600 {0}`, "
                  "and make new "
                  "keys if others may have read it",
                  key.string(), found.st_mode & 07777u));
}

/// Why the own certificate would be refused; empty if it would not.
std::string own_problem(SSL_CTX* context, std::uint32_t process) {
  X509* own = SSL_CTX_get0_certificate(context);
  if (own == nullptr) return "there is none";
  if (!names(own, process)) return fmt::format("it is not of process {}", process);
  const std::unique_ptr<X509_STORE_CTX, decltype(&X509_STORE_CTX_free)> check(X509_STORE_CTX_new(),
                                                                              &X509_STORE_CTX_free);
  if (!check || X509_STORE_CTX_init(check.get(), SSL_CTX_get_cert_store(context), own, nullptr) != 1)
    return "it cannot be checked";
  if (X509_verify_cert(check.get()) == 1) return "";
  return X509_verify_cert_error_string(X509_STORE_CTX_get_error(check.get()));
}

}  // namespace

std::unique_ptr<Stream> plain_stream(boost::asio::ip::tcp::socket socket) {
  return std::make_unique<PlainStream>(std::move(socket));
}

std::string certificate_name(std::uint32_t process) { return fmt::format("process-{}.lagnet", process); }

struct Tls::Context {
  ssl::context context{ssl::context::tls};
};

Tls::Tls(const TlsFiles& files, std::uint32_t process) : context_(std::make_unique<Context>()) {
  ssl::context& context = context_->context;
  SSL_CTX* raw = context.native_handle();
  check_private(files.key);
  SSL_CTX_set_min_proto_version(raw, TLS1_3_VERSION);
  SSL_CTX_set_session_cache_mode(raw, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(raw, 0);  // each connection proves anew who is there
  context.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
  const auto with = [](const std::filesystem::path& file, const auto& use) {
    error_code error;
    use(file.string(), error);
    if (error) throw RunError(fmt::format("{}: {}", file.string(), error.message()));
  };
  with(files.authority, [&](const std::string& file, error_code& error) { context.load_verify_file(file, error); });
  with(files.certificate,
       [&](const std::string& file, error_code& error) { context.use_certificate_chain_file(file, error); });
  with(files.key, [&](const std::string& file, error_code& error) {
    context.use_private_key_file(file, ssl::context::pem, error);
  });
  if (const std::string problem = own_problem(raw, process); !problem.empty())
    throw RunError(fmt::format("{}: the certificate would be refused: {}", files.certificate.string(), problem));
}

Tls::~Tls() = default;

std::unique_ptr<Stream> Tls::stream(tcp::socket socket, TlsSide side) const {
  return std::make_unique<TlsStream>(std::move(socket), context_->context, side);
}

}  // namespace lagnet
