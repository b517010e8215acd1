#include "tools/serve/access.hpp"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <utility>  // Boost.Asio 1.74 uses std::exchange without including it

#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/asio/ip/address.hpp>
#include <cerrno>
#include <climits>
#include <stdexcept>
#include <system_error>

namespace lagnet::tools {

namespace {

namespace ip = boost::asio::ip;

/// 128 bits that cannot be guessed. They are not part of any result.
std::string new_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != std::ssize(bytes))
    throw std::system_error(errno, std::generic_category(), "getrandom");
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

std::string name_of_machine() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? boost::to_lower_copy(std::string(name.data())) : "";
}

/// In a time that does not depend on the length of the common part.
bool are_same_secrets(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different |= static_cast<unsigned>(a[i] ^ b[i]);
  return different == 0;
}

}  // namespace

std::string host_name(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    return boost::to_lower_copy(std::string(host.substr(1, end == std::string_view::npos ? end : end - 1)));
  }
  return boost::to_lower_copy(std::string(host.substr(0, host.find(':'))));
}

Access::Access(const std::string& address) : machine_(name_of_machine()), token_(new_token()) {
  boost::system::error_code error;
  const ip::address parsed = ip::make_address(address, error);
  if (error) throw std::invalid_argument(address);
  address_ = parsed.to_string();
  is_loopback_ = parsed.is_loopback();
  is_any_ = parsed.is_unspecified();
}

std::string Access::url(unsigned short port) const {
  const std::string host = is_any_ && !machine_.empty() ? machine_ : address_;
  const bool is_number_with_colons = host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}/#token={}", is_number_with_colons ? "[" + host + "]" : host, port, token_);
}

bool Access::is_own_host(const HttpRequest& request) const {
  if (!request.host) return false;
  const std::string name = host_name(*request.host);
  if (name == address_ || (is_loopback_ && name == "localhost")) return true;
  if (is_loopback_) return false;
  boost::system::error_code error;
  ip::make_address(name, error);
  // DNS rebinding needs a name; an address cannot be redirected.
  return (is_any_ && !error) || (!machine_.empty() && name == machine_);
}

bool Access::has_token(const HttpRequest& request) const { return are_same_secrets(request.token, token_); }

bool Access::may_stop(const HttpRequest& request) const {
  return has_token(request) && (!request.origin || *request.origin == "http://" + request.host.value_or(""));
}

}  // namespace lagnet::tools
