#include <algorithm>

#include "sim/agent.hpp"
#include "sim/errors.hpp"
#include "sim/row_sums.hpp"

namespace lagnet {

void Agent::begin_exchange(Payload body, Waiting kind, const GossipRow* row) {
  waiting_ = kind;
  row_ = row;
  if (row) {
    LAGNET_CHECK(row->neighbors.size() == neighbors().size(), "{} weights for {} neighbors", row->neighbors.size(),
                 neighbors().size());
    own_ = body;
  }
  const auto size = body.size();
  if (kind == Waiting::sum) sum_ = Vector::Zero(size);
  if (degree() == 0) return;
  Message message = outgoing(round_, std::move(body), exchange_tag);
  if (is_loose()) return begin_loose_exchange(std::move(message));
  message.exchange = ++exchanges_;
  for (Inbox& inbox : inbox_) inbox.messages.resize(neighbors().size());
  runtime_.broadcast(std::move(message));
}

bool Agent::is_loose() const {
  const Rules& rules = runtime_.rules();
  // One that starts again does not count its exchanges on from where it was.
  const bool may_restart = rules.availability && rules.availability->loses_state();
  return rules.missing.kind != MissingNeighborKind::wait || rules.topology || may_restart;
}

void Agent::begin_loose_exchange(Message message) {
  const Rules& rules = runtime_.rules();
  if (!loose_) loose_ = std::make_unique<LooseInbox>(neighbors().size(), rules.missing);
  const ExchangeKey last = loose_->key();
  message.exchange = last.round == round_ ? last.number + 1 : 1;
  const LinkId first = runtime_.network().first_link(id_);
  std::vector<bool> expected(neighbors().size());
  for (LinkId k = 0; k < expected.size(); ++k) expected[k] = runtime_.active(first + k, round_);
  ++ticket_;  // no earlier timer ends this wait
  loose_->begin({round_, message.exchange}, expected);
  for (LinkId k = 0; k < expected.size(); ++k)
    if (expected[k]) runtime_.send(first + k, message);
  if (rules.missing.kind != MissingNeighborKind::wait && !loose_->complete())
    runtime_.wake_at(saturated(now(), rules.missing.deadline), id_, ticket_);
}

Round Agent::next_round(Round finished) {
  if (!loose_ || runtime_.rules().missing.kind == MissingNeighborKind::wait) return finished + 1;
  round_ = std::max(finished + 1, loose_->newest_round());
  return round_;
}

void Agent::close_loose_exchange() {
  std::vector<LooseInbox::Gap> gaps;
  std::vector<Message> outdated;
  closed_ = loose_->take(gaps, outdated);
  for (const Message& message : outdated) drop(message, What::superseded);
  for (const auto& [slot, why] : gaps)
    runtime_.note({.at = now(),
                   .what = What::dropped,
                   .cause = why,
                   .agent = id_,
                   .peer = neighbors()[slot],
                   .round = round_,
                   .amount = 1});
  absent_.clear();
  for (std::uint32_t slot = 0; slot < closed_.size(); ++slot)
    if (closed_[slot].body)
      took(closed_[slot]);
    else
      absent_.push_back(slot);
}

std::vector<Message> Agent::take_exchange() {
  waiting_ = Waiting::nothing;
  std::vector<Message> messages;
  if (degree() == 0) return messages;
  if (is_loose()) {
    close_loose_exchange();
    messages = std::move(closed_);
    std::erase_if(messages, [](const Message& message) { return !message.body; });
    return messages;
  }
  Inbox& inbox = inbox_[exchanges_ % 2];
  messages = std::move(inbox.messages);
  inbox.messages.clear();
  inbox.arrived = 0;
  for (Message& message : messages) took(message);
  return messages;
}

bool Agent::prepare_sum() {
  if (waiting_ != Waiting::sum) return false;
  rows_.clear();
  weights_.clear();
  if (degree() == 0) return true;
  if (is_loose()) close_loose_exchange();
  const std::vector<Message>& messages = is_loose() ? closed_ : inbox_[exchanges_ % 2].messages;
  for (std::size_t slot = 0; slot < messages.size(); ++slot) {
    const Message& message = messages[slot];
    if (!message.body) continue;  // absent
    LAGNET_CHECK(message.body.size() == sum_.size(), "agent {} sent {} numbers where agent {} sent {}", message.from,
                 message.body.size(), id_, sum_.size());
    rows_.push_back(message.body.data());
    if (row_) weights_.push_back(row_->neighbors[slot]);
  }
  return true;
}

void Agent::add_up() {
  if (row_) sum_ = row_->own * own_.view();
  add_rows(rows_, weights_, sum_);
  summed_ = true;
}

Vector Agent::take_sum() {
  if (!summed_ && prepare_sum()) add_up();
  summed_ = false;
  own_ = Payload();
  waiting_ = Waiting::nothing;
  closed_.clear();
  if (degree() > 0 && !is_loose()) {
    // The inbox keeps its places for the exchange after the next; only what they held goes.
    Inbox& inbox = inbox_[exchanges_ % 2];
    for (Message& message : inbox.messages) {
      took(message);
      message = Message();
    }
    inbox.arrived = 0;
  }
  return std::move(sum_);
}

}  // namespace lagnet
