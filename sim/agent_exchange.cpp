#include <algorithm>

#include "sim/agent.hpp"
#include "sim/errors.hpp"

namespace lagnet {

void Agent::begin_exchange(Payload body, Waiting kind, const GossipRow* row, PieceTaker taker) {
  check_computed();
  waiting_ = kind;
  Exchange& exchange = kit().exchange;
  exchange.row = row;
  exchange.taker = taker;
  exchange.size = body.size();
  if (row) {
    LAGNET_CHECK(row->neighbors.size() == neighbors().size(), "{} weights for {} neighbors", row->neighbors.size(),
                 neighbors().size());
  }
  exchange.has_numbers = body.has_numbers();
  if (row || taker.take) exchange.own = body;
  if (degree() == 0) return;
  Message message = outgoing(round_, std::move(body), exchange_tag);
  if (is_loose()) return begin_loose_exchange(std::move(message));
  message.exchange = ++exchange.count;
  for (Inbox& inbox : exchange.inbox) inbox.messages.resize(neighbors().size());
  runtime_.broadcast(std::move(message));
}

bool Agent::is_loose() const {
  const Rules& rules = runtime_.rules();
  // One that starts again does not count its exchanges on from where it was.
  const bool may_restart = rules.availability && rules.availability->loses_state();
  return rules.missing.kind != MissingNeighborKind::wait || rules.topology || may_restart;
}

LooseInbox& Agent::loose() {
  auto& inbox = kit().exchange.loose;
  if (!inbox) inbox = std::make_unique<LooseInbox>(neighbors().size(), runtime_.rules().missing);
  return *inbox;
}

bool Agent::deliver_exchange(Message&& message, std::uint32_t slot) {
  if (is_loose()) {
    const Message came = message;  // its envelope, for the record
    const What use = loose().put(std::move(message), slot);
    if (use != What::delivered) drop(came, use);
    return use == What::delivered;
  }
  Exchange& exchange = kit().exchange;
  const std::uint32_t ahead = message.exchange - exchange.count;
  Inbox& inbox = exchange.inbox[message.exchange % 2];
  inbox.messages.resize(neighbors().size());
  LAGNET_CHECK(ahead <= 1 && !inbox.messages[slot].body, "agent {} got exchange {} of agent {} during its own {}", id_,
               message.exchange, message.from, exchange.count);
  inbox.messages[slot] = std::move(message);
  ++inbox.arrived;
  return true;
}

void Agent::begin_loose_exchange(Message&& message) {
  const Rules& rules = runtime_.rules();
  LooseInbox& inbox = loose();
  const ExchangeKey last = inbox.key();
  message.exchange = last.round == round_ ? last.number + 1 : 1;
  const LinkId first = runtime_.network().first_link(id_);
  std::vector<bool> expected(neighbors().size());
  for (LinkId k = 0; k < expected.size(); ++k) expected[k] = runtime_.active(first + k, round_);
  ++ticket_;  // no earlier timer ends this wait
  inbox.begin({round_, message.exchange}, expected);
  for (LinkId k = 0; k < expected.size(); ++k)
    if (expected[k]) runtime_.send(first + k, Message(message));
  if (rules.missing.kind != MissingNeighborKind::wait && !inbox.complete())
    runtime_.wake_at(saturated(now(), rules.missing.deadline), id_, ticket_);
}

Round Agent::next_round(Round finished) {
  if (!kit_ || !kit_->exchange.loose || runtime_.rules().missing.kind == MissingNeighborKind::wait) return finished + 1;
  round_ = std::max(finished + 1, kit_->exchange.loose->newest_round());
  return round_;
}

void Agent::close_loose_exchange() {
  std::vector<LooseInbox::Gap> gaps;
  std::vector<Message> outdated;
  Exchange& exchange = kit_->exchange;
  exchange.closed = exchange.loose->take(gaps, outdated);
  for (const Message& message : outdated) drop(message, What::superseded);
  for (const auto& [slot, why] : gaps)
    runtime_.note({.at = now(),
                   .what = What::dropped,
                   .cause = why,
                   .agent = id_,
                   .peer = neighbors()[slot],
                   .round = round_,
                   .amount = 1});
  exchange.absent.clear();
  for (std::uint32_t slot = 0; slot < exchange.closed.size(); ++slot)
    if (exchange.closed[slot].body)
      took(exchange.closed[slot]);
    else
      exchange.absent.push_back(slot);
}

std::vector<Message> Agent::take_exchange() {
  waiting_ = Waiting::nothing;
  std::vector<Message> messages;
  if (degree() == 0) return messages;
  if (is_loose()) {
    close_loose_exchange();
    messages = std::move(kit_->exchange.closed);
    std::erase_if(messages, [](const Message& message) { return !message.body; });
    return messages;
  }
  Inbox& inbox = present_inbox();
  messages = std::move(inbox.messages);
  inbox.messages.clear();
  inbox.arrived = 0;
  for (Message& message : messages) took(message);
  return messages;
}

bool Agent::prepare_due_sum() {
  Exchange& exchange = kit_->exchange;
  collect_rows();
  exchange.prepared = true;
  if (exchange.taker.take) return false;
  exchange.summed = !exchange.has_numbers;  // of none there is nothing to add
  exchange.sum.resize(0);
  return exchange.has_numbers;
}

void Agent::collect_rows() {
  Exchange& exchange = kit_->exchange;
  exchange.rows.clear();
  exchange.weights.clear();
  exchange.senders.clear();
  if (degree() > 0 && is_loose()) close_loose_exchange();
  if (degree() == 0 || !exchange.has_numbers) return;
  const std::vector<Message>& messages = is_loose() ? exchange.closed : present_inbox().messages;
  for (std::size_t slot = 0; slot < messages.size(); ++slot) {
    const Message& message = messages[slot];
    if (!message.body) continue;  // absent
    LAGNET_CHECK(message.body.size() == exchange.size, "agent {} sent {} numbers where agent {} sent {}", message.from,
                 message.body.size(), id_, exchange.size);
    exchange.rows.push_back(message.body.data());
    if (is_loose()) exchange.senders.push_back(neighbors()[slot]);
    if (exchange.row) exchange.weights.push_back(exchange.row->neighbors[slot]);
  }
}

NeighborSum Agent::due_sum() {
  Exchange& exchange = kit_->exchange;
  PieceTaker taker = exchange.taker;
  if (!taker.take) {
    exchange.sum.resize(exchange.size);
    taker.context = &exchange.sum;
    taker.take = [](const void* context, Index first, VectorView, VectorView sum) {
      auto& whole = *static_cast<Vector*>(const_cast<void*>(context));
      whole.segment(first, sum.size()) = sum;
    };
  }
  exchange.summed = true;
  const bool all_came = exchange.rows.size() == neighbors().size();
  return {.receiver = id_,
          .senders = all_came ? neighbors() : std::span<const AgentId>(exchange.senders),
          .rows = exchange.rows,
          .weights = exchange.weights,
          .own = exchange.own.data(),
          .own_weight = exchange.row ? exchange.row->own : 0,
          .size = exchange.size,
          .taker = taker};
}

void Agent::finish_sum() {
  Exchange& exchange = kit_->exchange;
  if (!exchange.summed && prepare_sum()) add_up(due_sum(), runtime_.network().agents());
  exchange.summed = exchange.prepared = false;
  waiting_ = Waiting::nothing;
  if (degree() > 0 && !is_loose())
    for (Message& message : present_inbox().messages) took(message);
  clear_inbox();
}

Vector Agent::take_sum() {
  finish_sum();
  return std::move(kit_->exchange.sum);
}

void Agent::finish_pieces() {
  waiting_ = Waiting::nothing;
  if (!kit_->exchange.prepared) collect_rows();
  kit_->exchange.prepared = false;
  if (degree() > 0 && !is_loose())
    for (Message& message : present_inbox().messages) took(message);
  kit_->exchange.deferred = runtime_.sums().defer(due_sum());
}

void Agent::need_pieces() {
  if (!has_deferred()) return;
  NeighborSums& sums = runtime_.sums();
  if (sums.is_deferred(kit_->exchange.deferred)) sums.finish_deferred(runtime_.network().agents(), runtime_.workers());
  kit_->exchange.deferred = 0;
  kit_->exchange.summed = false;
  clear_inbox();
}

void Agent::clear_inbox() {
  Exchange& exchange = kit_->exchange;
  exchange.own = Payload();
  exchange.closed.clear();
  if (degree() == 0 || is_loose()) return;
  // The inbox keeps its places for the exchange after the next; only what they held goes.
  Inbox& inbox = present_inbox();
  for (Message& message : inbox.messages) message = Message();
  inbox.arrived = 0;
}

}  // namespace lagnet
