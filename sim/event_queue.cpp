#include "sim/event_queue.hpp"

#include "sim/errors.hpp"

namespace lagnet {

namespace {
constexpr unsigned slot_bits = 24;
constexpr std::size_t arity = 4;
}  // namespace

void HeapQueue::push(Time at, EventSlot slot) {
  LAGNET_CHECK(slot < 1u << slot_bits && pushed_ < std::uint64_t{1} << (64 - slot_bits),
               "slot {}, {} events pushed: the queue holds 2^24 at once and 2^40 in all", slot, pushed_);
  const Entry entry{at.ns(), pushed_++ << slot_bits | slot};
  std::size_t hole = heap_.size();
  heap_.push_back(entry);
  while (hole > 0) {
    const std::size_t parent = (hole - 1) / arity;
    if (!entry.before(heap_[parent])) break;
    heap_[hole] = heap_[parent];
    hole = parent;
  }
  heap_[hole] = entry;
}

EventSlot HeapQueue::pop() {
  LAGNET_CHECK(!heap_.empty(), "pop from an empty queue");
  const auto slot = static_cast<EventSlot>(heap_.front().order & ((1u << slot_bits) - 1));
  const Entry moved = heap_.back();
  heap_.pop_back();
  const std::size_t size = heap_.size();
  if (size == 0) return slot;
  std::size_t hole = 0;
  for (;;) {
    const std::size_t first = arity * hole + 1;
    if (first >= size) break;
    std::size_t least = first;
    for (std::size_t child = first + 1; child < first + arity && child < size; ++child)
      if (heap_[child].before(heap_[least])) least = child;
    if (!heap_[least].before(moved)) break;
    heap_[hole] = heap_[least];
    hole = least;
  }
  heap_[hole] = moved;
  return slot;
}

}  // namespace lagnet
