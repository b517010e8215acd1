#include "sim/realtime/realtime_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <stdexcept>

#include "sim/base/errors.hpp"
#include "sim/realtime/linked_processes.hpp"

namespace lagnet {

namespace {

PeersOptions peers_of(const Network& network, const RealtimeOptions& options) {
  PeersOptions peers = options.peers;
  peers.peers = partners_of(peers.process, linked_processes(network, options.process_of));
  peers.limits.links = network.links();
  return peers;
}

}  // namespace

RealtimeWorld::RealtimeWorld(Network network, ComputeModel compute, RealtimeOptions options)
    : options_(std::move(options)),
      network_(std::move(network)),
      compute_(std::move(compute)),
      alarm_(context_),
      agents_(*this, network_, options_.model, {.threads = options_.threads}) {
  if (compute_.agents() != network_.agents() || options_.process_of.size() != network_.agents())
    throw std::invalid_argument(fmt::format("expected {} speeds and processes, one for each agent, found {} and {}",
                                            network_.agents(), compute_.agents(), options_.process_of.size()));
  peers_ = std::make_unique<Peers>(
      context_, peers_of(network_, options_),
      Peers::Handlers{[this](std::uint32_t peer, const Frame& frame) { came(peer, frame); },
                      [this](std::uint32_t peer, bool is_anew) { met(peer, is_anew); },
                      [this](const Remark& one) {
                        if (warn_) warn_(one);
                      },
                      [this](std::uint32_t peer, std::uint64_t sequence) { tell_of_wait(peer, sequence); }});
}

RealtimeWorld::~RealtimeWorld() { agents_.settle(); }

void RealtimeWorld::spawn(AgentId id, Program program, Role role) {
  if (!is_here(id)) return;
  has_mains_ |= role == Role::main;
  agents_.spawn(id, std::move(program), role);
}

void RealtimeWorld::listen(Listener& listener) {
  for (std::size_t kind = 0; kind < listeners_.size(); ++kind)
    if (listener.wants(static_cast<EventKind>(kind))) listeners_[kind].push_back(&listener);
  is_heard_ = true;
  hears_takes_ |= listener.wants(EventKind::took);
}

Time RealtimeWorld::clock_time() const {
  return Time::nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count());
}

void RealtimeWorld::read_clock() {
  if (has_begun_) now_ = clock_time();
}

// The run

void RealtimeWorld::wait_until_met() {
  while (!peers_->have_met()) {
    peers_->check_patience(options_.patience);
    context_.run_one_for(options_.patience / 8);
  }
}

RealtimeEnd RealtimeWorld::run() {
  wait_until_met();
  start_ = Clock::now();
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  wall_clock_at_start_ = std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count();
  if (begin_) begin_();
  agents_.start();
  agents_.resume_ready();  // at time 0: who begins later was started anew
  has_begun_ = true;
  read_clock();
  for (const auto& arrival : std::exchange(early_, {})) arrival();
  go_on();
  const bool waits_for_all = options_.model.missing.kind == MissingNeighborKind::wait;
  while (!has_left_) {
    if (options_.end != Time::never() && Clock::now() >= start_ + std::chrono::nanoseconds(options_.end.ns())) break;
    if (waits_for_all) peers_->check_patience(options_.patience);  // else it would wait in vain
    context_.run_one_for(options_.patience / 8);
  }
  if (!has_left_) leave(RealtimeEnd::time_limit);
  peers_->end(options_.patience);
  return *end_;
}

std::vector<SimEvent> RealtimeWorld::waits_under_way() const {
  std::vector<SimEvent> waits;
  for (AgentId id = 0; id < network_.agents(); ++id)
    if (const auto wait = agents_[id].wait_under_way()) waits.push_back(*wait);
  return waits;
}

void RealtimeWorld::go_on() {
  agents_.resume_ready();
  idle_since_ = clock_time();
  if (!has_left_ && (has_mains_ ? agents_.unfinished() == 0 : peers_->have_left())) leave(RealtimeEnd::finished);
}

void RealtimeWorld::leave(RealtimeEnd why) {
  has_left_ = true;
  end_ = why;
  timers_.clear();
  alarm_.cancel();
  peers_->say_goodbye();
}

/// A process that was started anew has lost its state: those who wait for all that it said they would send wait for
/// ever.
void RealtimeWorld::met(std::uint32_t peer, bool is_anew) {
  if (is_anew) std::erase_if(queued_, [peer](const auto& entry) { return entry.first.first == peer; });
  if (is_anew && has_begun_ && !has_left_ && !options_.model.goes_on_without_all())
    throw RunError(
        fmt::format("process {} was started anew and knows nothing of what its neighbors wait for; expected "
                    "participation.missing_neighbor skip or reuse_last, or a deadline for answers",
                    peer));
}

// Messages

void RealtimeWorld::tell_of(EventKind what, const Sending& sending, const Message& message) {
  note([&] {
    const AgentId to = network_.link(sending.link).to;
    const bool is_sent = what == EventKind::sent;
    SimEvent told{.at = now_, .what = what, .agent = is_sent ? message.from : to, .peer = is_sent ? to : message.from};
    told.link = sending.link;
    told.round = message.round;
    told.amount = options_.wire.wire_size(message.body);
    if (!is_sent) told.duration = std::max(Duration(), now_ - sending.sent);
    told.serial = sending.serial();
    return told;
  });
}

void RealtimeWorld::send(LinkId link, Message&& message) {
  std::vector<std::byte> compact;
  if (!is_here(network_.link(link).to)) compact = OutgoingFrame::compact_body(message.body);
  send(link, std::move(message), compact);
}

void RealtimeWorld::send(LinkId link, Message&& message, std::span<const std::byte> compact) {
  read_clock();
  const Time sent = last_sent_ = std::max(now_, last_sent_ + Duration::nanoseconds(1));
  const Sending sending{link, sent, options_.peers.incarnation};
  tell_of(EventKind::sent, sending, message);
  const AgentId to = network_.link(link).to;
  if (is_here(to)) {
    boost::asio::post(
        context_, [this, sending, arrived = std::move(message)]() mutable { deliver(sending, std::move(arrived)); });
    return;
  }
  const std::uint32_t peer = process_of(to);
  const auto waits = peers_->link(peer).send(FrameKind::message, [&](const FrameHeader& header) {
    return OutgoingFrame::message(header, link, sent, message, compact);
  });
  if (waits && tell_wait_) queued_.insert_or_assign({peer, *waits}, sending);
}

void RealtimeWorld::tell_of_wait(std::uint32_t peer, std::uint64_t sequence) {
  const auto found = queued_.find({peer, sequence});
  if (found == queued_.end()) return;
  const Sending wait = found->second;
  queued_.erase(found);
  tell_wait_({.link = wait.link, .serial = wait.serial(), .duration = std::max(Duration(), clock_time() - wait.sent)});
}

void RealtimeWorld::broadcast(Message&& message) {
  const LinkId first = network_.first_link(message.from);
  const auto links = static_cast<LinkId>(network_.links_of(message.from).size());
  const std::vector<std::byte> compact = OutgoingFrame::compact_body(message.body);  // once for all of them
  for (LinkId k = 0; k < links; ++k) send(first + k, Message(message), compact);
}

void RealtimeWorld::came(std::uint32_t peer, const Frame& frame) {
  if (frame.header.kind == FrameKind::goodbye) return has_begun_ ? go_on() : void();
  const FrameLimits limits{.largest_body = options_.peers.limits.largest_body, .links = network_.links()};
  if (frame.header.kind == FrameKind::receipt) {
    const Receipt receipt = read_receipt(frame.body, limits);
    const AgentId sender = network_.sender(receipt.link);
    if (!is_here(sender) || receipt.message.from != sender || process_of(network_.link(receipt.link).to) != peer)
      throw FrameError(fmt::format("a receipt of link {} from process {}", receipt.link, peer));
    agents_[sender].arrived(receipt.message);
    return go_on();
  }
  LinkMessage came = read_message(frame, limits);
  const AgentId sender = network_.sender(came.link);
  if (process_of(sender) != peer || came.message.from != sender || !is_here(network_.link(came.link).to))
    throw FrameError(
        fmt::format("a message of agent {} over link {} from process {}", came.message.from, came.link, peer));
  deliver({came.link, came.sent, peers_->link(peer).known_incarnation()}, std::move(came.message));
}

void RealtimeWorld::deliver(const Sending& sending, Message&& message) {
  if (!has_begun_) {
    early_.emplace_back([this, sending, arrived = std::make_shared<Message>(std::move(message))] {
      deliver(sending, std::move(*arrived));
    });
    return;
  }
  if (has_left_) return;
  read_clock();
  tell_of(EventKind::delivered, sending, message);
  if (message.receipt > 0 && !is_here(message.from)) {
    peers_->link(process_of(message.from)).send(FrameKind::receipt, [&](const FrameHeader& header) {
      return OutgoingFrame::receipt(header, sending.link, now_, message);
    });
    message.receipt = 0;
  }
  agents_.deliver(sending.link, std::move(message));
  go_on();
}

// Time

void RealtimeWorld::wake_at(Time at, AgentId agent, std::uint32_t ticket) {
  timers_.emplace(at, std::pair(agent, ticket));
  if (!alarm_at_ || at < *alarm_at_) set_alarm();
}

void RealtimeWorld::set_alarm() {
  if (timers_.empty()) return;
  alarm_at_ = timers_.begin()->first;
  alarm_.expires_at(start_ + std::chrono::nanoseconds(alarm_at_->ns()));
  alarm_.async_wait([this](const boost::system::error_code& error) {
    if (!error) ring();
  });
}

/// What a timer ends has ended when it was due or its kernel was through, and not when this process woke up: else each
/// computation would take that time as well.
void RealtimeWorld::ring() {
  const Time until = clock_time();
  alarm_at_ = std::nullopt;
  while (!timers_.empty() && timers_.begin()->first <= until) {
    const Time due = timers_.begin()->first;
    now_ = std::max({now_, options_.threads > 1 ? until : due, idle_since_});
    while (!timers_.empty() && timers_.begin()->first == due) {
      const auto [agent, ticket] = timers_.begin()->second;
      timers_.erase(timers_.begin());
      tell_of_work(agent, due);
      agents_.wake(agent, ticket);
    }
    go_on();
  }
  if (!alarm_at_) set_alarm();
}

/// Not all that agents have computed takes time.
void RealtimeWorld::note_work(const SimEvent& what) {
  Work& work = work_[what.agent];
  ++work.events;
  if (!std::exchange(work.is_starting, false) && what.duration == Duration()) return;
  work.number = work.events;
  work.begun = what.at;
  work.duration = what.duration;
}

void RealtimeWorld::tell_of_work(AgentId agent, Time due) {
  Work& work = work_[agent];
  if (work.number == 0 || due < work.begun + work.duration) return;
  if (options_.threads > 1) {  // its kernel may still run
    agents_[agent].settle();
    now_ = std::max(now_, clock_time());
  }
  const Duration lasted = now_ - work.begun;
  if (tell_work_ && lasted > work.duration) tell_work_({agent, work.number, lasted});
  work.number = 0;
}

/// From when all that it needs was there.
Duration RealtimeWorld::compute_time(AgentId agent, Round round, Cost work, bool is_update) {
  work_[agent].is_starting = true;
  return compute_.time(agent, round, now_, work, is_update);
}

void RealtimeWorld::report(AgentId agent, Round round, std::span<const VectorView> parts) {
  if (recorder_) recorder_->reported(agent, round, parts);
}

}  // namespace lagnet
