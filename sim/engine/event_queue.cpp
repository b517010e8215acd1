#include "sim/engine/event_queue.hpp"

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {
constexpr std::size_t arity = 4;
}  // namespace

void HeapQueue::push(Time at, Event event) {
  const Entry entry{at.ns(), pushed_++, event};
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

Event HeapQueue::pop() {
  LAGNET_CHECK(!heap_.empty(), "pop from an empty queue");
  const Event first_of_all = heap_.front().event;
  const Entry moved = heap_.back();
  heap_.pop_back();
  const std::size_t size = heap_.size();
  if (size == 0) return first_of_all;
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
  return first_of_all;
}

}  // namespace lagnet
