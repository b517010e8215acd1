#include "sim/transport/queues.hpp"

#include <algorithm>

namespace lagnet {

Queues::Waiting Queues::take(std::map<ResourceId, Queue>::iterator from) {
  const Waiting one = from->second.of.front();
  from->second.of.pop_front();
  from->second.bytes -= one.bytes;
  --count_;
  if (from->second.of.empty()) waiting_.erase(from);
  return one;
}

std::vector<Queues::Waiting> Queues::join(ResourceId at, Waiting one) {
  const QueueLimit& limit = *network_.queue(at);
  if (limit.full == QueueLimit::WhenFull::drop_oldest && !limit.has_room_for(one.bytes, 1)) return {one};
  std::vector<Waiting> lost;
  const auto has_room = [&](const auto& queue) {
    return queue == waiting_.end()
               ? limit.has_room_for(one.bytes, 1)
               : limit.has_room_for(queue->second.bytes + one.bytes, std::ssize(queue->second.of) + 1);
  };
  auto queue = waiting_.find(at);
  if (limit.full == QueueLimit::WhenFull::drop_tail && !has_room(queue)) return {one};
  for (; limit.full == QueueLimit::WhenFull::drop_oldest && !has_room(queue); queue = waiting_.find(at))
    lost.push_back(take(queue));
  Queue& joined = waiting_[at];
  joined.of.push_back(one);
  joined.bytes += one.bytes;
  ++count_;
  return lost;
}

Queues::Waiting Queues::leave(ResourceId at) { return take(waiting_.find(at)); }

std::vector<ResourceId> Rooms::limited(AgentId from, LinkId link) const {
  std::vector<ResourceId> all;
  for (std::size_t place = 0; place < network_.path_length(link); ++place) {
    const ResourceId id = network_.on_path(from, link, place);
    const QueueLimit* const limit = network_.queue(id);
    if (limit && limit->full == QueueLimit::WhenFull::backpressure) all.push_back(id);
  }
  return all;
}

bool Rooms::is_limited(AgentId from, LinkId link) const { return !limited(from, link).empty(); }

bool Rooms::has_room(const std::vector<ResourceId>& path, Bytes bytes) const {
  return std::ranges::all_of(path, [&](ResourceId id) {
    const auto used = used_.find(id);
    return used == used_.end() ||
           network_.queue(id)->has_room_for(used->second.bytes + bytes, used->second.messages + 1);
  });
}

bool Rooms::take(AgentId from, LinkId link, Bytes bytes) {
  const std::vector<ResourceId> path = limited(from, link);
  if (!has_room(path, bytes)) return false;
  for (const ResourceId id : path) {
    used_[id].bytes += bytes;
    ++used_[id].messages;
  }
  return true;
}

void Rooms::give_back(ResourceId at, Bytes bytes) {
  const QueueLimit* const limit = network_.queue(at);
  if (!limit || limit->full != QueueLimit::WhenFull::backpressure) return;
  const auto used = used_.find(at);
  used->second.bytes -= bytes;
  if (--used->second.messages == 0) used_.erase(used);
}

std::vector<Rooms::Slot> Rooms::first() const {
  std::vector<Slot> all;
  for (const auto& [link, outbox] : outboxes_) all.push_back(outbox.front());
  return all;
}

void Rooms::leave(LinkId link) {
  const auto outbox = outboxes_.find(link);
  outbox->second.pop_front();
  if (outbox->second.empty()) outboxes_.erase(outbox);
}

std::int64_t Rooms::waiting() const {
  std::int64_t count = 0;
  for (const auto& [link, outbox] : outboxes_) count += std::ssize(outbox);
  return count;
}

}  // namespace lagnet
