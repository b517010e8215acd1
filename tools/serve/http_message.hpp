#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace lagnet::tools {

/// The parts of a request that the server uses.
struct HttpRequest {
  std::string method, target;         // "GET", "/status"
  std::optional<std::string> host;    // nothing if there is none, or more than one
  std::optional<std::string> origin;  // of the page that asks, as its browser says
  std::string token;                  // "" if there is none
  std::string known;                  // the ETag of what is there already
};

struct HttpReply {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::shared_ptr<const std::string> body = nullptr;  // several connections may send it
  std::string etag = {};
};

using HttpAnswer = std::function<HttpReply(const HttpRequest&)>;

/// A reply of one line.
inline HttpReply told_reply(unsigned status, const std::string& text) {
  return {.status = status, .body = std::make_shared<const std::string>(text + "\n")};
}

}  // namespace lagnet::tools
