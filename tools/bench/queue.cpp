#include "tools/bench/queue.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <queue>
#include <vector>

#include "sim/base/draws.hpp"
#include "sim/engine/event_queue.hpp"
#include "sim/engine/radix_queue.hpp"

/// Events a second of the bare structures that hold pending events, in the hold model of PHOLD: take the earliest, put
/// one back after a delay of 0.1 + 0.9 Exp(1), so that the number pending stays. The standard library's queue is the
/// yardstick.
namespace lagnet::bench {

namespace {

constexpr int runs_of_each = 5;
constexpr std::size_t delays_drawn = std::size_t{1} << 16;
constexpr std::int64_t unit_ns = 1'000'000;

class StandardQueue {
 public:
  void push(Time at, Event event) { heap_.push({at.ns(), pushed_++, event}); }
  Event pop() {
    const Event event = heap_.top().event;
    heap_.pop();
    return event;
  }
  Time next_time() const { return Time::nanoseconds(heap_.top().time); }
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }

 private:
  struct Entry {
    std::int64_t time;
    std::uint64_t order;
    Event event;
    bool operator<(const Entry& other) const { return time != other.time ? time > other.time : order > other.order; }
  };
  std::priority_queue<Entry> heap_;
  std::uint64_t pushed_ = 0;
};
static_assert(PendingEvents<StandardQueue>);

/// Drawn before the clock runs: the structures are measured, not the logarithm.
const std::vector<Duration>& delays() {
  static const std::vector<Duration> drawn = [] {
    Draws draws(1, Purpose{"delay"});
    std::vector<Duration> all;
    for (std::size_t i = 0; i < delays_drawn; ++i)
      all.push_back(Duration::nanoseconds(static_cast<std::int64_t>((0.1 + 0.9 * draws.exponential()) * unit_ns)));
    return all;
  }();
  return drawn;
}

template <PendingEvents Queue>
void hold(benchmark::State& state, std::size_t pending) {
  const std::vector<Duration>& delay = delays();
  Queue queue;
  std::size_t next = 0;
  const auto step = [&] {
    const Time now = queue.next_time();
    const Event event = queue.pop();
    queue.push(now + delay[next++ % delays_drawn], event);
  };
  for (std::uint32_t i = 0; i < pending; ++i)
    queue.push(Time() + delay[next++ % delays_drawn], Event(Event::Kind::timer, i, 0));
  for (std::size_t i = 0; i < 2 * pending; ++i) step();  // until the times lie as they will
  for (auto _ : state) step();
  state.counters["events_per_s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

template <PendingEvents Queue>
void add(const char* name) {
  for (const std::size_t pending : {1'000u, 1'000'000u})
    benchmark::RegisterBenchmark(fmt::format("{}/{} pending", name, pending).c_str(),
                                 [pending](benchmark::State& state) { hold<Queue>(state, pending); })
        ->Iterations(2'000'000)
        ->Repetitions(runs_of_each);
}

}  // namespace

void register_queues() {
  add<RadixQueue>("radix heap");
  add<StandardQueue>("std::priority_queue");
}

}  // namespace lagnet::bench
