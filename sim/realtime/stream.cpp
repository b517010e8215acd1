#include "sim/realtime/stream.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <utility>

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

}  // namespace

std::unique_ptr<Stream> plain_stream(boost::asio::ip::tcp::socket socket) {
  return std::make_unique<PlainStream>(std::move(socket));
}

}  // namespace lagnet
