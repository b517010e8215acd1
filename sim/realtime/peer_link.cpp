#include "sim/realtime/peer_link.hpp"

#include <fmt/format.h>

#include <utility>

namespace lagnet {

namespace {
/// After this many frames the peer gets a receipt, unless other frames carry it: the peer keeps its frames until then.
constexpr std::uint64_t told_after = 32;
}  // namespace

PeerLink::PeerLink(boost::asio::io_context& context, std::uint32_t peer, std::uint64_t own_incarnation, LinkTimes times,
                   Handlers handlers)
    : peer_(peer), incarnation_(own_incarnation), times_(times), handlers_(std::move(handlers)), heart_(context) {}

void PeerLink::describe(Hello& own) const {
  own.incarnation = incarnation_;
  own.known_incarnation = known_incarnation_;
  own.received = received_;
}

bool PeerLink::attach(std::shared_ptr<Connection> connection, const Hello& theirs) {
  if (connection_) connection_->close();
  connection_ = std::move(connection);
  const bool is_anew = was_up() && theirs.incarnation != known_incarnation_;
  if (theirs.incarnation != known_incarnation_) {  // it counts from 1
    known_incarnation_ = theirs.incarnation;
    received_ = refused_ = 0;
    peer_has_left_ = false;
    empty_outbox();  // it knows nothing of what was sent to its former life
    sent_ = 0;
  } else if (theirs.known_incarnation == incarnation_) {  // otherwise no greeting has reached it yet, nor anything else
    drop_acknowledged(theirs.received);
  }
  told_ = received_;
  begun_ = 0;
  connection_->start({[this](const Frame& frame) { take(frame); }, [this](const std::string& why) { lose(why); },
                      [this](const OutgoingFrame& frame) { begin(frame.sequence()); }});
  for (const Sent& frame : outbox_) connection_->write(frame.bytes);
  beat();
  return is_anew;
}

void PeerLink::say_goodbye() {
  push(std::make_shared<const OutgoingFrame>(OutgoingFrame::with_body(header(FrameKind::goodbye, ++sent_))));
}

void PeerLink::push(Connection::FrameBytes bytes) {
  told_ = received_;
  waiting_ += bytes->size();
  if (waiting_ > most_waiting)
    throw RunError(fmt::format("process {} does not take what is sent to it: {} messages of {} bytes wait", peer_,
                               outbox_.size() + 1, waiting_));
  if (is_up()) connection_->write(bytes);
  outbox_.push_back({sent_, std::move(bytes)});
}

void PeerLink::begin(std::uint64_t sequence) {
  if (sequence == 0) return;  // a heartbeat
  begun_ = sequence;
  if (handlers_.begun) handlers_.begun(sequence);
}

void PeerLink::take(const Frame& frame) {
  drop_acknowledged(frame.header.received);
  if (frame.header.kind == FrameKind::hello) throw FrameError("a second greeting");
  if (frame.header.sequence == 0) return;          // a heartbeat
  if (frame.header.sequence <= received_) return;  // it came before the last connection broke
  if (frame.header.sequence != received_ + 1)
    throw FrameError(fmt::format("frame {} after frame {}", frame.header.sequence, received_));
  if (frame.header.kind == FrameKind::goodbye) {
    ++received_;
    peer_has_left_ = true;
    empty_outbox();
    acknowledge();
    handlers_.frame(frame);
  } else {
    hand_over(frame);
    ++received_;
  }
  if (received_ - told_ >= told_after) acknowledge();
}

void PeerLink::hand_over(const Frame& frame) {
  try {
    handlers_.frame(frame);
  } catch (const FrameError& error) {
    if (std::exchange(refused_, frame.header.sequence) != frame.header.sequence) throw;
    throw RunError(
        fmt::format("process {} sends what cannot be taken, again after a new connection: {}", peer_, error.what()));
  }
}

void PeerLink::empty_outbox() {
  outbox_.clear();
  waiting_ = 0;
}

void PeerLink::drop_acknowledged(std::uint64_t up_to) {
  if (up_to > sent_) throw FrameError(fmt::format("a peer that has got frame {} of {}", up_to, sent_));
  while (!outbox_.empty() && outbox_.front().sequence <= up_to) {
    waiting_ -= outbox_.front().bytes->size();
    outbox_.pop_front();
  }
}

void PeerLink::acknowledge() {
  if (!is_up()) return;
  told_ = received_;
  connection_->write(std::make_shared<const OutgoingFrame>(OutgoingFrame::with_body(header(FrameKind::heartbeat, 0))));
}

void PeerLink::beat() {
  acknowledge();
  heart_.expires_after(times_.heartbeat);
  heart_.async_wait([this](const boost::system::error_code& error) {
    if (error || !is_up()) return;
    if (Connection::Clock::now() - connection_->last_came() > times_.failed) {
      connection_->close();
      return lose(fmt::format("nothing came for {} ms", times_.failed.count()));
    }
    beat();
  });
}

void PeerLink::lose(const std::string& why) {
  heart_.cancel();
  connection_ = nullptr;
  down_since_ = Connection::Clock::now();
  handlers_.failed(why);
}

void PeerLink::close() {
  heart_.cancel();
  if (connection_) connection_->close_when_written();
}

}  // namespace lagnet
