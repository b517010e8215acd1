#include "sim/realtime/peers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

/// Log at most this many refused connections.
constexpr std::size_t told_refusals = 20;

/// What a connection may send before its greeting, and while that is read.
constexpr FrameLimits before_greeting{.largest_body = longest_hello};

}  // namespace

std::uint64_t now_as_number() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count());
}

Peers::Peers(boost::asio::io_context& context, PeersOptions options, Handlers handlers)
    : context_(context),
      options_(std::move(options)),
      handlers_(std::move(handlers)),
      acceptor_(context),
      resolver_(context) {
  LAGNET_CHECK(options_.process < options_.addresses.size(), "process {} of {}", options_.process,
               options_.addresses.size());
  for (const std::uint32_t peer : options_.peers) {
    links_.emplace(peer, std::make_unique<PeerLink>(
                             context, peer, options_.incarnation, options_.times,
                             PeerLink::Handlers{[this, peer](const Frame& frame) { handlers_.frame(peer, frame); },
                                                [this, peer](const std::string& why) { lost(peer, why); },
                                                [this, peer](std::uint64_t sequence) {
                                                  if (handlers_.begun) handlers_.begun(peer, sequence);
                                                }}));
    if (std::ranges::binary_search(options_.left, peer))
      links_[peer]->note_peer_has_left();
    else if (peer < options_.process)
      calls_.try_emplace(peer, boost::asio::steady_timer(context), options_.first_retry);
  }
  listen();
  for (const auto& [peer, waiting] : calls_) call(peer);
}

Peers::~Peers() { close(); }

std::string Peers::place_of(std::uint32_t peer) const {
  const PeerAddress& at = options_.addresses[peer];
  return fmt::format("process {} at {}:{}", peer, at.host, at.port);
}

// Being called

void Peers::listen() {
  const PeerAddress& own = options_.addresses[options_.process];
  try {
    if (options_.listener >= 0) {
      acceptor_.assign(tcp::v4(), options_.listener);
      return accept();
    }
    const tcp::endpoint at = *resolver_.resolve(own.host, std::to_string(own.port)).begin();
    acceptor_.open(at.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    acceptor_.bind(at);
    acceptor_.listen();
  } catch (const boost::system::system_error& error) {
    throw RunError(fmt::format("cannot listen as {}: {}", place_of(options_.process), error.code().message()));
  }
  accept();
}

void Peers::accept() {
  acceptor_.async_accept([this](const error_code& error, tcp::socket socket) {
    if (is_closed_) return;
    if (!error) greet(connection(std::move(socket), TlsSide::listens));
    accept();
  });
}

void Peers::greet(const std::shared_ptr<Connection>& stranger) {
  strangers_.push_back(stranger);
  if (strangers_.size() > options_.most_strangers) {  // a connection that greets at once is not among the oldest
    strangers_.front()->close();
    strangers_.pop_front();
  }
  auto patience = std::make_shared<boost::asio::steady_timer>(context_, options_.greeting);
  const std::weak_ptr<Connection> who = stranger;
  patience->async_wait([this, who](const error_code& cancelled) {
    const auto silent = who.lock();
    if (!cancelled && silent && std::erase(strangers_, silent) > 0) silent->close();
  });
  stranger->start({[this, who, patience](const Frame& frame) {
                     patience->cancel();
                     answer(who.lock(), frame);
                   },
                   [this, who, patience](const std::string& why) {
                     patience->cancel();
                     const auto gone = who.lock();
                     if (std::erase(strangers_, gone) > 0) refuse(*gone, "has not greeted: " + why);
                   }});
}

void Peers::answer(const std::shared_ptr<Connection>& stranger, const Frame& frame) {
  std::erase(strangers_, stranger);
  const auto refuse_it = [&](const std::string& why) {
    refuse(*stranger, why);
    stranger->close_when_written();
  };
  if (frame.header.kind != FrameKind::hello) return refuse_it("did not greet");
  const Hello theirs = read_hello(frame.body);
  const std::uint32_t peer = theirs.process;
  if (!links_.contains(peer) || peer < options_.process)
    return refuse_it(fmt::format("says that it is process {}", peer));
  if (const auto why = difference(theirs, *stranger)) {
    if (stranger->is_of(peer)) send_greeting(*stranger, peer);  // so that it can say why, too
    return refuse_it(*why);
  }
  send_greeting(*stranger, peer);
  attach(peer, stranger, theirs);
}

void Peers::refuse(const Connection& stranger, const std::string& why) {
  if (++refused_ <= told_refusals)
    handlers_.warn({"connection_refused",
                    {},
                    fmt::format("refused a connection from {}, which {}{}", stranger.peer_address(), why,
                                refused_ == told_refusals ? "; others are refused without a word" : "")});
}

// Calling

void Peers::call(std::uint32_t peer) {
  const PeerAddress& at = options_.addresses[peer];
  resolver_.async_resolve(
      at.host, std::to_string(at.port),
      [this, peer](const error_code& unknown, const tcp::resolver::results_type& ends) {
        if (is_closed_) return;
        if (unknown) return call_later(peer);
        auto socket = std::make_shared<tcp::socket>(context_);
        boost::asio::async_connect(*socket, ends, [this, peer, socket](const error_code& error, const tcp::endpoint&) {
          if (is_closed_) return;
          if (error) return call_later(peer);
          const auto called_one = connection(std::move(*socket), TlsSide::calls);
          const std::weak_ptr<Connection> who = called_one;
          called_one->start({[this, peer, who](const Frame& frame) { called(peer, who.lock(), frame); },
                             [this, peer](const std::string& why) {
                               warn_once(peer, why);
                               call_later(peer);
                             }});
          send_greeting(*called_one, peer);
        });
      });
}

void Peers::call_later(std::uint32_t peer) {
  Call& call_to = calls_.at(peer);
  if (is_closed_ || link(peer).peer_has_left()) return;
  call_to.timer.expires_after(call_to.pause);
  call_to.pause = std::min(call_to.pause * 2, options_.longest_retry);
  call_to.timer.async_wait([this, peer](const error_code& error) {
    if (!error) call(peer);
  });
}

void Peers::called(std::uint32_t peer, const std::shared_ptr<Connection>& called_one, const Frame& frame) {
  if (frame.header.kind != FrameKind::hello) throw FrameError("no greeting");
  const Hello theirs = read_hello(frame.body);
  if (theirs.process != peer)
    throw RunError(fmt::format("{} says that it is process {}", place_of(peer), theirs.process));
  if (const auto why = difference(theirs, *called_one)) throw RunError(fmt::format("{} {}", place_of(peer), *why));
  Call& call_to = calls_.at(peer);
  call_to.pause = options_.first_retry;
  call_to.failure.clear();
  attach(peer, called_one, theirs);
}

void Peers::warn_once(std::uint32_t peer, const std::string& why) {
  if (calls_.at(peer).failure == why) return;
  calls_.at(peer).failure = why;
  handlers_.warn({"peer_silent", {}, fmt::format("{} has not greeted: {}", place_of(peer), why)});
}

void Peers::lost(std::uint32_t peer, const std::string& why) {
  if (is_closed_ || link(peer).peer_has_left()) return;
  handlers_.warn({"connection_failed", {}, fmt::format("the connection to {} has failed: {}", place_of(peer), why)});
  if (calls_.contains(peer)) call_later(peer);
}

// Greeting

void Peers::attach(std::uint32_t peer, const std::shared_ptr<Connection>& connection, const Hello& theirs) {
  connection->limit(options_.limits);
  const bool is_anew = link(peer).attach(connection, theirs);
  if (is_anew && has_said_goodbye_) say_goodbye_to(peer);  // what was said to its former life is lost
  handlers_.up(peer, is_anew);
}

std::shared_ptr<Connection> Peers::connection(tcp::socket socket, TlsSide side) const {
  auto stream = options_.tls ? options_.tls->stream(std::move(socket), side) : plain_stream(std::move(socket));
  return std::make_shared<Connection>(std::move(stream), before_greeting);
}

/// Why another process cannot work with this one; nothing if it can. This one has a link to it.
std::optional<std::string> Peers::difference(const Hello& theirs, const Connection& connection) const {
  const Hello own = greeting(theirs.process);
  if (!connection.is_of(theirs.process)) return fmt::format("has no certificate of process {}", theirs.process);
  if (theirs.version != own.version)
    return fmt::format("speaks version {} of the protocol, and this one version {}", theirs.version, own.version);
  if (theirs.peer != own.process) return fmt::format("looks for process {}", theirs.peer);
  if (theirs.scenario != own.scenario) return "runs another scenario";
  if (theirs.build != own.build) return fmt::format("is of build {}, and this one of {}", theirs.build, own.build);
  if (theirs.incarnation == 0) return "has no number for its start";
  return std::nullopt;
}

Hello Peers::greeting(std::uint32_t peer) const {
  Hello own;
  own.process = options_.process;
  own.peer = peer;
  own.scenario = options_.scenario;
  own.build = options_.build;
  links_.at(peer)->describe(own);
  return own;
}

void Peers::send_greeting(Connection& connection, std::uint32_t peer) const {
  connection.write(std::make_shared<const OutgoingFrame>(OutgoingFrame::hello(greeting(peer))));
}

// All of them

bool Peers::have_met() const {
  return std::ranges::all_of(links_,
                             [](const auto& link) { return link.second->was_up() || link.second->peer_has_left(); });
}

std::vector<std::uint32_t> Peers::missing_since(Connection::Clock::time_point time) const {
  std::vector<std::uint32_t> missing;
  for (const auto& [peer, link] : links_)
    if (!link->peer_has_left() && link->down_since() <= time) missing.push_back(peer);
  return missing;
}

void Peers::check_patience(std::chrono::milliseconds patience) const {
  const auto missing = missing_since(Connection::Clock::now() - patience);
  if (!missing.empty())
    throw RunError(fmt::format("no connection to process{} {} for {:.9g} s", missing.size() == 1 ? "" : "es",
                               fmt::join(missing, ", "), std::chrono::duration<double>(patience).count()));
}

void Peers::end(std::chrono::milliseconds patience) {
  const auto last = Connection::Clock::now() + patience;
  while (!have_all() && Connection::Clock::now() < last) context_.run_one_until(last);
  close();
  context_.restart();
  context_.run_for(std::chrono::seconds(1));  // writes what was given to connections
}

bool Peers::have_all() const {
  return std::ranges::all_of(
      links_, [](const auto& link) { return link.second->peer_has_left() || link.second->unacknowledged() == 0; });
}

void Peers::say_goodbye() {
  has_said_goodbye_ = true;
  for (const auto& [peer, link] : links_) say_goodbye_to(peer);
}

void Peers::say_goodbye_to(std::uint32_t peer) { link(peer).say_goodbye(); }

bool Peers::have_left() const {
  return std::ranges::all_of(links_, [](const auto& link) { return link.second->peer_has_left(); });
}

void Peers::close() {
  if (std::exchange(is_closed_, true)) return;
  error_code ignored;
  acceptor_.close(ignored);
  resolver_.cancel();
  for (auto& [peer, call] : calls_) call.timer.cancel();
  for (auto& [peer, link] : links_) link->close();
  for (const auto& stranger : strangers_) stranger->close();
}

}  // namespace lagnet
