#pragma once

#include <cstdint>
#include <vector>

namespace lagnet {

/// A 4-ary heap of (key, id) that can erase and re-key any entry in O(log n): each id's position in the heap is kept
/// by the caller, in the std::uint32_t& that `place(id)` gives. On top is the entry whose key comes `Before` all
/// others; which one of several equal keys is on top is a function of the operations so far.
template <class Key, class Before>
class IndexedHeap {
 public:
  struct Entry {
    Key key;
    std::uint32_t id;
  };

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  const Entry& top() const { return heap_.front(); }           // the heap must not be empty
  const std::vector<Entry>& entries() const { return heap_; }  // in the heap's order

  template <class Place>
  void push(Key key, std::uint32_t id, const Place& place) {
    heap_.push_back({key, id});
    rise(static_cast<std::uint32_t>(heap_.size() - 1), {key, id}, place);
  }
  template <class Place>
  void erase(std::uint32_t at, const Place& place) {
    const Entry last = heap_.back();
    heap_.pop_back();
    if (at < heap_.size()) settle(at, last, place);
  }
  template <class Place>
  void change_key(std::uint32_t at, Key key, const Place& place) {
    settle(at, {key, heap_[at].id}, place);
  }

 private:
  template <class Place>
  void settle(std::uint32_t at, const Entry& entry, const Place& place) {
    if (at > 0 && before(entry, heap_[(at - 1) / 4]))
      rise(at, entry, place);
    else
      sink(at, entry, place);
  }
  template <class Place>
  void rise(std::uint32_t at, const Entry entry, const Place& place) {
    for (; at > 0 && before(entry, heap_[(at - 1) / 4]); at = (at - 1) / 4) put(at, heap_[(at - 1) / 4], place);
    put(at, entry, place);
  }
  template <class Place>
  void sink(std::uint32_t at, const Entry entry, const Place& place) {
    const auto count = static_cast<std::uint32_t>(heap_.size());
    for (;;) {
      const std::uint32_t first = 4 * at + 1;
      if (first >= count) break;
      std::uint32_t best = first;
      for (std::uint32_t child = first + 1; child < count && child < first + 4; ++child)
        if (before(heap_[child], heap_[best])) best = child;
      if (!before(heap_[best], entry)) break;
      put(at, heap_[best], place);
      at = best;
    }
    put(at, entry, place);
  }
  template <class Place>
  void put(std::uint32_t at, const Entry& entry, const Place& place) {
    heap_[at] = entry;
    place(entry.id) = at;
  }
  static bool before(const Entry& a, const Entry& b) { return Before()(a.key, b.key); }

  std::vector<Entry> heap_;
};

}  // namespace lagnet
