#pragma once

#include <memory>
#include <string>

#include "tools/serve/http_message.hpp"

namespace lagnet::tools {

/// Answers HTTP/1.1 requests, all of them on the thread that calls run(). Requests are bounded in size and time, and
/// connections in number (http_session.hpp).
class HttpServer {
 public:
  /// `address`: an IP address; `port`: 0 for any that is free. Throws std::system_error if it cannot listen there.
  HttpServer(const std::string& address, unsigned short port, HttpAnswer answer);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  unsigned short port() const;
  /// From now on the end of standard input ends the server, as soon as no page asks any more.
  void end_with_input();
  /// Returns when the server has ended.
  void run();

 private:
  class Listening;
  std::unique_ptr<Listening> listening_;
};

}  // namespace lagnet::tools
