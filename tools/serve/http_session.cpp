#include "tools/serve/http_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <exception>
#include <string_view>

namespace lagnet::tools {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

// What a browser needs of each is a tenth of this.
constexpr std::uint32_t header_bytes_max = 16 * 1024;
constexpr std::uint64_t body_bytes_max = 1024;
constexpr std::size_t requests_max = 1000;  // of one connection
constexpr std::chrono::seconds request_time{15}, reply_time{60}, drain_time{2};
constexpr std::size_t drained_bytes_max = 256 * 1024;

std::string copied(beast::string_view text) { return {text.data(), text.size()}; }

/// A header that there must be but one of.
std::optional<std::string> only(const http::fields& fields, http::field name) {
  if (fields.count(name) != 1) return std::nullopt;
  return copied(fields[name]);
}

HttpReply refusal_of(beast::error_code error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow)
    return told_reply(431, fmt::format("expected a request with at most {} bytes of header", header_bytes_max));
  if (error == http::error::body_limit)
    return told_reply(413, fmt::format("expected a request with at most {} bytes of body", body_bytes_max));
  return told_reply(400, "expected a request of HTTP/1.1, found something else");
}

/// The page may run its own scripts and ask its own server, and nothing else; no other page may hold or read it.
void add_safeguards(http::fields& fields) {
  fields.set(http::field::cache_control, "no-store");
  fields.set("X-Content-Type-Options", "nosniff");
  fields.set("X-Frame-Options", "DENY");
  fields.set("Referrer-Policy", "no-referrer");
  fields.set("Cross-Origin-Resource-Policy", "same-origin");
  fields.set("Cross-Origin-Opener-Policy", "same-origin");
  fields.set("Content-Security-Policy", "frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
}

}  // namespace

void OpenSessions::add(HttpSession& session) {
  while (silent_longest_first_.size() >= most_) silent_longest_first_.front()->close();
  silent_longest_first_.push_back(&session);
}

void OpenSessions::was_heard(HttpSession& session) {
  const auto at = std::ranges::find(silent_longest_first_, &session);
  if (at != silent_longest_first_.end())
    silent_longest_first_.splice(silent_longest_first_.end(), silent_longest_first_, at);
  last_heard_ = std::chrono::steady_clock::now();
}

void OpenSessions::remove(HttpSession& session) { silent_longest_first_.remove(&session); }

HttpSession::HttpSession(asio::ip::tcp::socket socket, const HttpAnswer& answer, OpenSessions& open)
    : stream_(std::move(socket)), buffer_(header_bytes_max + body_bytes_max), answer_(answer), open_(open) {
  open_.add(*this);
}

HttpSession::~HttpSession() {
  if (is_open_) open_.remove(*this);
}

void HttpSession::close() {
  if (!is_open_) return;
  is_open_ = false;
  open_.remove(*this);
  stream_.close();
}

void HttpSession::read() {
  parser_.emplace();
  parser_->header_limit(header_bytes_max);
  parser_->body_limit(body_bytes_max);
  stream_.expires_after(request_time);  // for all of it, however many pieces it comes in
  http::async_read(stream_, buffer_, *parser_,
                   [self = shared_from_this()](beast::error_code error, std::size_t) { self->take(error); });
}

void HttpSession::take(beast::error_code error) {
  if (!is_open_) return;
  if (error == http::error::end_of_stream) return end();
  const bool is_malformed = error && error.category() == http::make_error_code(http::error::bad_version).category();
  if (is_malformed) return send(refusal_of(error), false);
  if (error) return close();  // slow, or gone
  open_.was_heard(*this);
  const Request request = parser_->release();
  send(reply_to(request), request.keep_alive() && ++requests_ < requests_max);
}

HttpReply HttpSession::reply_to(const Request& request) const {
  HttpRequest asked{.method = copied(request.method_string()),
                    .target = copied(request.target()),
                    .host = only(request, http::field::host),
                    .origin = std::nullopt,
                    .token = copied(request["X-Lagnet-Token"]),
                    .known = copied(request[http::field::if_none_match])};
  if (request.count(http::field::origin) > 0) asked.origin = only(request, http::field::origin).value_or("");
  try {
    return answer_(asked);
  } catch (const std::exception& problem) {
    return told_reply(500, problem.what());
  }
}

void HttpSession::send(const HttpReply& reply, bool keep_alive) {
  body_ = reply.body;
  response_.emplace(static_cast<http::status>(reply.status), 11U);
  response_->keep_alive(keep_alive);
  add_safeguards(*response_);
  response_->set(http::field::content_type, reply.type);
  if (!reply.etag.empty()) response_->set(http::field::etag, reply.etag);
  if (reply.status == 405) response_->set(http::field::allow, "GET, POST");
  if (body_) response_->body() = {body_->data(), body_->size()};
  response_->prepare_payload();
  stream_.expires_after(reply_time);
  http::async_write(stream_, *response_,
                    [self = shared_from_this()](beast::error_code error, std::size_t) { self->sent(error); });
}

void HttpSession::sent(beast::error_code error) {
  if (!is_open_) return;
  if (error) return close();
  if (!response_->keep_alive()) return end();
  body_.reset();
  response_.reset();
  read();
}

// What is not read yet would make the system break the connection off, and the reader lose the reply.
void HttpSession::end() {
  beast::error_code ignored;
  stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  buffer_.clear();
  stream_.expires_after(drain_time);
  drain();
}

void HttpSession::drain() {
  constexpr std::size_t piece = 4096;
  stream_.async_read_some(buffer_.prepare(piece),
                          [self = shared_from_this()](beast::error_code error, std::size_t bytes) {
                            self->drained_ += bytes;
                            if (error || self->drained_ > drained_bytes_max) return self->close();
                            self->drain();
                          });
}

}  // namespace lagnet::tools
