#include "sim/exchange/lossy_inbox.hpp"

#include <algorithm>
#include <iterator>

namespace lagnet {

namespace {
ExchangeKey key_of(const Message& message) { return {message.round, message.exchange}; }
}  // namespace

LossyInbox::LossyInbox(std::size_t neighbors, MissingNeighbor policy)
    : policy_(policy), expected_(neighbors), pending_(neighbors), last_(neighbors) {}

bool LossyInbox::has_come(std::size_t slot) const {
  return std::ranges::any_of(pending_[slot], [this](const Message& message) { return key_of(message) == key_; });
}

bool LossyInbox::moved_on(std::size_t slot) const {
  return std::ranges::any_of(pending_[slot], [this](const Message& message) { return key_of(message) > key_; });
}

void LossyInbox::begin(ExchangeKey key, std::vector<bool> expected) {
  key_ = key;
  waiting_ = true;
  expired_ = false;
  expected_ = std::move(expected);
  missing_ = waited_for().size();
}

std::vector<std::uint32_t> LossyInbox::waited_for() const {
  // A neighbor that is in a later exchange will not send this one again, so waiting on would only delay both; unless
  // nothing is ever skipped, and the message is still under way.
  const bool wait_for_all = policy_.kind == MissingNeighborKind::wait;
  std::vector<std::uint32_t> slots;
  for (std::uint32_t slot = 0; slot < expected_.size(); ++slot)
    if (expected_[slot] && !has_come(slot) && (wait_for_all || !moved_on(slot))) slots.push_back(slot);
  return slots;
}

EventKind LossyInbox::put(Message message, std::uint32_t slot) {
  auto& waiting = pending_[slot];
  const ExchangeKey key = key_of(message);
  if (std::ranges::any_of(waiting, [key](const Message& other) { return key_of(other) == key; }))
    return EventKind::duplicate;
  if (key < key_ || (key == key_ && !waiting_)) {
    if (policy_.kind == MissingNeighborKind::reuse_last) {
      Message& last = last_[slot][key.number];
      if (is_there(last) && key_of(last) >= key) return key_of(last) == key ? EventKind::duplicate : EventKind::late;
      last = std::move(message);
    }
    return EventKind::late;
  }
  const bool was_awaited =
      waiting_ && expected_[slot] && !has_come(slot) && (policy_.kind == MissingNeighborKind::wait || !moved_on(slot));
  waiting.push_back(std::move(message));
  if (was_awaited && (policy_.kind != MissingNeighborKind::wait || has_come(slot))) --missing_;
  return EventKind::delivered;
}

std::vector<Message> LossyInbox::take(std::vector<Gap>& gone_without, std::vector<Message>& outdated) {
  std::vector<Message> taken(expected_.size());
  for (std::uint32_t slot = 0; slot < expected_.size(); ++slot) {
    auto& waiting = pending_[slot];
    const Cause why = moved_on(slot) ? Cause::moved_on : Cause::deadline;
    std::erase_if(waiting, [&](Message& message) {
      if (key_of(message) > key_) return false;
      (key_of(message) == key_ ? taken[slot] : outdated.emplace_back()) = std::move(message);
      return true;
    });
    if (is_there(taken[slot])) {
      if (policy_.kind == MissingNeighborKind::reuse_last) last_[slot][key_.number] = taken[slot];
    } else if (expected_[slot]) {
      gone_without.push_back({slot, why});
      const auto last = last_[slot].find(key_.number);
      if (last != last_[slot].end()) taken[slot] = last->second;
    }
  }
  waiting_ = false;
  return taken;
}

std::vector<Message> LossyInbox::discard() {
  std::vector<Message> all;
  for (auto& waiting : pending_) {
    std::ranges::move(waiting, std::back_inserter(all));
    waiting.clear();
  }
  return all;
}

Round LossyInbox::newest_round() const {
  Round newest = -1;
  for (const auto& waiting : pending_)
    for (const Message& message : waiting) newest = std::max(newest, message.round);
  return newest;
}

}  // namespace lagnet
