#include "tools/serve/http_server.hpp"

#include <unistd.h>

#include <utility>  // Boost.Asio 1.74 uses std::exchange without including it

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <chrono>
#include <system_error>

#include "tools/serve/http_session.hpp"

namespace lagnet::tools {

namespace {

using boost::asio::ip::tcp;
using ErrorCode = boost::system::error_code;

// A browser opens six for each page.
constexpr std::size_t sessions_max = 128;
constexpr std::chrono::milliseconds without_files{100}, between_looks{200};
// After the end of its input: pages that are open fetch the last state, which they ask for every second.
constexpr std::chrono::seconds silence_at_end{4}, longest_end{30};

}  // namespace

class HttpServer::Listening {
 public:
  Listening(const std::string& address, unsigned short port, HttpAnswer answer)
      : answer_(std::move(answer)), open_(sessions_max), acceptor_(context_), pause_(context_), input_(context_) {
    const tcp::endpoint endpoint(boost::asio::ip::make_address(address), port);
    try {
      acceptor_.open(endpoint.protocol());
      acceptor_.set_option(tcp::acceptor::reuse_address(true));
      acceptor_.bind(endpoint);
      acceptor_.listen();
    } catch (const boost::system::system_error& error) {
      throw std::system_error(error.code().value(), std::generic_category());
    }
    accept();
  }

  unsigned short port() const { return acceptor_.local_endpoint().port(); }
  void run() { context_.run(); }

  void end_with_input() {
    const int input = ::dup(STDIN_FILENO);
    if (input < 0) throw std::system_error(errno, std::generic_category(), "standard input");
    input_.assign(input);
    read_input();
  }

 private:
  void accept() {
    acceptor_.async_accept([this](const ErrorCode& error, tcp::socket socket) {
      if (!error) {
        std::make_shared<HttpSession>(std::move(socket), answer_, open_)->read();
        return accept();
      }
      if (error == boost::asio::error::operation_aborted) return;
      pause_.expires_after(without_files);  // until some connection has ended
      pause_.async_wait([this](const ErrorCode& stopped) {
        if (!stopped) accept();
      });
    });
  }

  void read_input() {
    input_.async_read_some(boost::asio::buffer(typed_), [this](const ErrorCode& error, std::size_t) {
      if (!error) return read_input();
      ended_ = Clock::now();
      wait_for_silence();
    });
  }

  void wait_for_silence() {
    const auto now = Clock::now();
    if (now - open_.last_heard() > silence_at_end || now - ended_ > longest_end) return context_.stop();
    at_end_.expires_after(between_looks);
    at_end_.async_wait([this](const ErrorCode& stopped) {
      if (!stopped) wait_for_silence();
    });
  }

  using Clock = std::chrono::steady_clock;
  HttpAnswer answer_;
  OpenSessions open_;  // outlives the sessions, which are in handlers of the context
  boost::asio::io_context context_{1};
  tcp::acceptor acceptor_;
  boost::asio::steady_timer pause_, at_end_{context_};
  boost::asio::posix::stream_descriptor input_;
  std::array<char, 256> typed_{};
  Clock::time_point ended_;
};

HttpServer::HttpServer(const std::string& address, unsigned short port, HttpAnswer answer)
    : listening_(std::make_unique<Listening>(address, port, std::move(answer))) {}

HttpServer::~HttpServer() = default;

unsigned short HttpServer::port() const { return listening_->port(); }

void HttpServer::end_with_input() { listening_->end_with_input(); }

void HttpServer::run() { listening_->run(); }

}  // namespace lagnet::tools
