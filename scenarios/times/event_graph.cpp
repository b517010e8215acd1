#include "scenarios/times/event_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "sim/transport/link_order.hpp"
#include "sim/transport/walk.hpp"

namespace lagnet {

namespace {

/// Runs agents one after the other, each until it has to wait.
class Recursion {
 public:
  Recursion(const EventGraph& graph, const StepTimes& world, Round last, Round rounds)
      : graph_(graph),
        world_(world),
        last_(last),
        rounds_(rounds),
        agents_(graph.agents()),
        arrivals_(world.network.links()),
        walk_(world.network, world.model),
        order_(world.model.in_order && world.model.sharing == Sharing::none ? LinkOrder(world.network.links())
                                                                            : LinkOrder()),
        reported_(static_cast<std::size_t>(last) + 1) {
    for (AgentId id = 0; id < graph.agents(); ++id) {
      const auto is_report = [](const Step& step) { return step.kind == Step::Kind::report; };
      last_reports_left_ += std::ranges::any_of(graph.every[id], is_report);
      ready_.push_back(id);
    }
  }

  std::vector<Time> times() {
    const bool has_reporters = last_reports_left_ > 0;
    for (;; enter_next()) {
      while (!ready_.empty() && last_reports_left_ > 0) {
        const AgentId id = ready_.front();
        ready_.pop_front();
        go_on(id);
      }
      if (entering_.empty() || last_reports_left_ == 0) break;
    }
    return has_reporters && last_reports_left_ == 0 ? std::move(reported_) : std::vector<Time>();
  }

 private:
  /// A moment of simulated time, and which batch of events there: agents that a batch resumes send in the next one.
  struct Moment {
    Time at;
    std::int64_t batch = 0;
    auto operator<=>(const Moment&) const = default;
    /// What comes of it at that time: it is of the same batch if no time passes.
    Moment until(Time then) const { return {then, then == at ? batch : 0}; }
  };

  struct Place {
    Moment at;
    Round round = 0;
    std::size_t step = 0;
    std::size_t taken = 0;  // of the links of take_all
    bool waits = false;
  };

  /// A message that waits for what others feed as well: they enter by time, at one time by sender and order of sending.
  struct Entering {
    Moment at;
    std::uint64_t serial = 0;
    Traveler way;
    bool operator>(const Entering& other) const {
      return std::tie(at, way.from, serial) > std::tie(other.at, other.way.from, other.serial);
    }
  };

  void go_on(AgentId id) {
    Place& place = agents_[id];
    place.waits = false;
    // The last report of an agent may wait for a message that another one sends after its own last report, and messages
    // of agents that are ahead may pass an interface before those of others. An agent that waits for its neighbors is
    // ahead by as many rounds as there are agents at most.
    const Round end = std::min(rounds_, last_ + Round{graph_.agents()} - 1);
    for (; place.round <= end + 1; ++place.round, place.step = 0)
      for (const Steps& steps = graph_.steps(id, place.round, rounds_); place.step < steps.size(); ++place.step)
        if (!pass(id, place, steps[place.step])) {
          place.waits = true;
          return;
        }
  }

  /// False if the agent has to wait for a message.
  bool pass(AgentId id, Place& place, const Step& step) {
    const Network& network = world_.network;
    switch (step.kind) {
      case Step::Kind::pause:
        place.at = place.at.until(saturated(place.at.at, Duration::nanoseconds(step.amount)));
        return true;
      case Step::Kind::compute:
        place.at = place.at.until(
            saturated(place.at.at, world_.compute.time(id, place.round, place.at.at, Cost(step.amount))));
        return true;
      case Step::Kind::send:
        send(id, place.at, step.link, step.amount);
        return true;
      case Step::Kind::broadcast:
        for (const LinkId link : network.links_from(id, world_.model.rotates_broadcasts()))
          send(id, place.at, link, step.amount);
        return true;
      case Step::Kind::take:
        return take(place, step.link);
      case Step::Kind::take_all:
        for (const auto senders = network.in_neighbors(id); place.taken < senders.size(); ++place.taken)
          if (!take(place, network.find(senders[place.taken], id))) return false;
        place.taken = 0;
        return true;
      case Step::Kind::report:
        report(place);
        return true;
    }
    return true;
  }

  void send(AgentId from, Moment now, LinkId id, Bytes bytes) {
    const Link& link = world_.network.link(id);
    const Moment sent{now.at, now.batch + 1};
    if (world_.model.sharing != Sharing::fifo)
      return arrive(id, sent.until(order_.come(id, saturated(now.at, Network::travel_time(link, bytes)))));
    Traveler way{.link = id, .from = from, .to = link.to, .bytes = bytes};
    walk_.depart(way, now.at);
    go_on(sent, ++serials_, way);
  }

  /// Whatever is sent after this one has been there comes later, since agents go on later: so the order is known.
  void enter_next() {
    Entering next = entering_.top();
    entering_.pop();
    walk_.enter(next.way);
    go_on(next.at, next.serial, next.way);
  }

  void go_on(Moment from, std::uint64_t serial, const Traveler& way) {
    const Moment next = from.until(walk_.next(way));
    if (walk_.has_arrived(way)) return arrive(way.link, next);
    entering_.push({.at = next, .serial = serial, .way = way});
  }

  void arrive(LinkId id, Moment there) {
    arrivals_[id].push_back(there);
    const Link& link = world_.network.link(id);
    Place& receiver = agents_[link.to];
    if (receiver.waits) {
      receiver.waits = false;
      ready_.push_back(link.to);
    }
  }

  bool take(Place& place, LinkId link) {
    std::deque<Moment>& arrivals = arrivals_[link];
    if (arrivals.empty()) return false;
    place.at = std::max(place.at, arrivals.front());
    arrivals.pop_front();
    return true;
  }

  void report(const Place& place) {
    if (place.round > last_) return;
    const auto round = static_cast<std::size_t>(place.round);
    reported_[round] = std::max(reported_[round], place.at.at);
    if (place.round == last_) --last_reports_left_;
  }

  const EventGraph& graph_;
  const StepTimes& world_;
  const Round last_, rounds_;
  std::vector<Place> agents_;
  std::vector<std::deque<Moment>> arrivals_;  // of each link: of what was sent and not taken
  Walk walk_;                                 // of fifo
  LinkOrder order_;                           // of none
  std::priority_queue<Entering, std::vector<Entering>, std::greater<>> entering_;
  std::uint64_t serials_ = 0;
  std::vector<Time> reported_;  // of each round, the latest
  std::int64_t last_reports_left_ = 0;
  std::deque<AgentId> ready_;
};

}  // namespace

std::int64_t steps_in_round(const EventGraph& graph, const Network& network) {
  std::int64_t count = 0;
  for (AgentId id = 0; id < graph.agents(); ++id)
    for (const Step& step : graph.every[id]) {
      count += step.kind == Step::Kind::broadcast  ? std::ssize(network.neighbors(id))
               : step.kind == Step::Kind::take_all ? std::ssize(network.in_neighbors(id))
                                                   : 1;
    }
  return count;
}

std::vector<Time> round_times(const EventGraph& graph, const StepTimes& world, Round last, Round rounds) {
  return Recursion(graph, world, last, rounds).times();
}

}  // namespace lagnet
