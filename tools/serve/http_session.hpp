#pragma once

#include <utility>  // Boost.Asio 1.74 uses std::exchange without including it

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <optional>

#include "tools/serve/http_message.hpp"

namespace lagnet::tools {

class HttpSession;

/// The connections that are open, the one that has been silent longest first. Their number is limited: a new connection
/// then replaces that one, so that idle connections never block new ones.
class OpenSessions {
 public:
  explicit OpenSessions(std::size_t most) : most_(most) {}
  void add(HttpSession& session);
  void was_heard(HttpSession& session);
  void remove(HttpSession& session);
  std::chrono::steady_clock::time_point last_heard() const { return last_heard_; }

 private:
  std::size_t most_;
  std::list<HttpSession*> silent_longest_first_;
  std::chrono::steady_clock::time_point last_heard_{};
};

/// One connection: reads a request, answers it, and reads the next one. Requests that are too large, malformed or slow
/// get an error, or the connection ends.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(boost::asio::ip::tcp::socket socket, const HttpAnswer& answer, OpenSessions& open);
  ~HttpSession();
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;

  void read();
  /// Breaks it off.
  void close();

 private:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;
  using Body = boost::beast::http::span_body<const char>;

  void take(boost::beast::error_code error);
  HttpReply reply_to(const Request& request) const;
  void send(const HttpReply& reply, bool keep_alive);
  void sent(boost::beast::error_code error);
  void end();
  void drain();

  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  const HttpAnswer& answer_;
  OpenSessions& open_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  std::shared_ptr<const std::string> body_;  // of the response, which does not own it
  std::optional<boost::beast::http::response<Body>> response_;
  std::size_t requests_ = 0, drained_ = 0;
  bool is_open_ = true;
};

}  // namespace lagnet::tools
