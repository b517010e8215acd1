#pragma once

#include <string>
#include <string_view>

#include "tools/serve/http_message.hpp"

namespace lagnet::tools {

/// Access control. A page of another site can make a browser send requests to this machine, even under its own name
/// that resolves to this machine; other users of the machine can send any request. So the requested name must be one of
/// the server's own, and every action except reading from localhost requires the token in the printed URL.
class Access {
 public:
  /// `address`: that the server listens at. Throws std::invalid_argument if it is no IP address.
  explicit Access(const std::string& address);

  /// The address of the page for its reader. The token is in the fragment, which browsers do not send.
  std::string url(unsigned short port) const;
  const std::string& token() const { return token_; }
  bool is_loopback() const { return is_loopback_; }

  /// Whether the server is asked under a name that is its own.
  bool is_own_host(const HttpRequest& request) const;
  bool may_read(const HttpRequest& request) const { return is_loopback_ || has_token(request); }
  /// With the token, and by no page but the server's own.
  bool may_stop(const HttpRequest& request) const;

 private:
  bool has_token(const HttpRequest& request) const;

  std::string address_, machine_, token_;
  bool is_loopback_ = false, is_any_ = false;
};

/// The host of "host:port" or "[address]:port", in small letters.
std::string host_name(std::string_view host);

}  // namespace lagnet::tools
