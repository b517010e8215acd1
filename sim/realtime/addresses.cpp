#include "sim/realtime/addresses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <vector>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {
using boost::asio::ip::tcp;
}  // namespace

bool is_loopback(const std::string& host) {
  boost::asio::io_context context;
  boost::system::error_code error;
  tcp::resolver resolver(context);
  const auto found = resolver.resolve(host, "", error);
  return !error && !found.empty() &&
         std::ranges::all_of(found, [](const auto& entry) { return entry.endpoint().address().is_loopback(); });
}

struct LoopbackListeners::Sockets {
  boost::asio::io_context context;
  std::vector<tcp::acceptor> acceptors;
};

LoopbackListeners::LoopbackListeners(std::uint32_t count) : sockets_(std::make_unique<Sockets>()) {
  try {
    for (std::uint32_t k = 0; k < count; ++k) {
      const tcp::endpoint any_port(boost::asio::ip::address_v4::loopback(), 0);
      const tcp::acceptor& acceptor = sockets_->acceptors.emplace_back(sockets_->context, any_port);
      addresses_.push_back({"127.0.0.1", acceptor.local_endpoint().port()});
    }
  } catch (const boost::system::system_error& error) {
    throw RunError(fmt::format("cannot listen at {} ports of 127.0.0.1: {}", count, error.code().message()));
  }
}

LoopbackListeners::~LoopbackListeners() = default;

int LoopbackListeners::socket(std::uint32_t k) const { return sockets_->acceptors[k].native_handle(); }

int LoopbackListeners::take(std::uint32_t k) { return sockets_->acceptors[k].release(); }

}  // namespace lagnet
