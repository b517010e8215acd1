#include "sim/exchange/lockstep_inbox.hpp"

#include <limits>

namespace lagnet {

bool LockstepInbox::put_further(const Message& message, std::uint32_t slot, std::size_t neighbors) {
  constexpr std::uint32_t behind = std::numeric_limits<std::uint32_t>::max() / 2;  // from here on it has wrapped around
  const std::uint32_t ahead = message.exchange - count();
  if (ahead < 2 || ahead > behind) return false;
  if (!further_) further_ = std::make_unique<std::deque<Places>>();
  while (further_->size() + 2 <= ahead) further_->emplace_back();
  Places& places = (*further_)[ahead - 2];
  if (places.entries.empty()) places.entries.resize(neighbors);
  return fill(places.entries[slot], places, message);
}

/// An exchange has begun: what was one further ahead is the next.
void LockstepInbox::come_nearer() {
  if (further_->empty()) return;
  if (!further_->front().entries.empty()) {
    ahead_.entries.swap(further_->front().entries);
    ahead_.arrived = further_->front().arrived;
  }
  further_->pop_front();
}

}  // namespace lagnet
