#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "tools/bench/peers/measured.hpp"
#include "tools/bench/peers/phold.hpp"

/// PHOLD on the simulator that everybody writes first: a std::priority_queue of times and callbacks. Agents are
/// functions, and a message is what its callback has captured; there are no mailboxes, no accounts and no trace.
namespace lagnet::bench {

namespace {

class Callbacks {
 public:
  void call_after(Duration delay, std::function<void()> what) {
    queue_.push({now_ + delay, scheduled_++, std::move(what)});
  }
  void run() {
    while (!stopped_ && !queue_.empty()) {
      Event next = std::move(const_cast<Event&>(queue_.top()));  // what is moved from is popped before it is compared
      queue_.pop();
      now_ = next.at;
      next.what();
    }
  }
  void stop() { stopped_ = true; }
  Time now() const { return now_; }

 private:
  struct Event {
    Time at;
    std::uint64_t order;
    std::function<void()> what;
    bool operator<(const Event& other) const { return at != other.at ? at > other.at : order > other.order; }
  };
  std::priority_queue<Event> queue_;
  std::uint64_t scheduled_ = 0;
  Time now_;
  bool stopped_ = false;
};

using Numbers = std::vector<double>;

class World {
 public:
  World(const Phold& phold, std::int64_t arrivals) : phold_(phold), arrivals_(arrivals) {}

  void send(AgentId from, std::int64_t hops, std::shared_ptr<const Numbers> body) {
    const std::uint32_t link = phold_.choice(static_cast<std::int64_t>(body->front()), hops);
    const AgentId to = phold_.neighbor(from, link);
    callbacks.call_after(phold_.latency(from, link),
                         [this, to, hops, body = std::move(body)] { receive(to, hops, body); });
  }

  Callbacks callbacks;

 private:
  void receive(AgentId agent, std::int64_t hops, std::shared_ptr<const Numbers> body) {
    if (--arrivals_ == 0) callbacks.stop();
    send(agent, hops + 1, std::move(body));
  }

  const Phold& phold_;
  std::int64_t arrivals_;  // that are still to come
};

void measure(const PholdArguments& given) {
  const Phold phold(given.agents);
  World world(phold, given.arrivals);
  const double began = cpu_s();
  for (std::int64_t message = 0; message < given.population; ++message)
    world.send(static_cast<AgentId>(message % given.agents), 0,
               std::make_shared<const Numbers>(1, static_cast<double>(message)));
  world.callbacks.run();
  print_measured(given.arrivals, cpu_s() - began, world.callbacks.now().in_seconds());
}

}  // namespace
}  // namespace lagnet::bench

int main(int argc, char** argv) {
  const auto given = lagnet::bench::PholdArguments::read(argc, argv);
  if (!given) return 2;
  lagnet::bench::measure(*given);
}
