#include "sim/base/indexed_heap.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <map>

#include "sim/base/draws.hpp"

namespace lagnet::indexed_heap_test {

TEST_CASE("An indexed heap agrees with a sorted list while entries come, go and change their keys") {
  Draws draws(1, Purpose("indexed heap"));
  IndexedHeap<std::uint64_t, std::greater<>> heap;
  std::vector<std::uint32_t> places(200);
  const auto place = [&](std::uint32_t id) -> std::uint32_t& { return places[id]; };
  std::map<std::uint32_t, std::uint64_t> keys;  // of each id in the heap
  for (int step = 0; step < 20000; ++step) {
    const auto id = static_cast<std::uint32_t>(draws.below(200));
    const std::uint64_t key = draws.below(100);  // half as many keys as ids: ties are many
    if (!keys.contains(id)) {
      heap.push(key, id, place);
      keys[id] = key;
    } else if (draws.bernoulli(0.5)) {
      heap.change_key(places[id], key, place);
      keys[id] = key;
    } else {
      heap.erase(places[id], place);
      keys.erase(id);
    }
    REQUIRE(heap.size() == keys.size());
    for (const auto& [present, its_key] : keys) {
      if (heap.entries()[places[present]].id != present) FAIL("the place of " << present << " is wrong");
      if (heap.entries()[places[present]].key != its_key) FAIL("the key of " << present << " is wrong");
    }
    const auto by_key = [](const auto& a, const auto& b) { return a.second < b.second; };
    if (!keys.empty()) REQUIRE(heap.top().key == std::ranges::max_element(keys, by_key)->second);
  }
}

}  // namespace lagnet::indexed_heap_test
