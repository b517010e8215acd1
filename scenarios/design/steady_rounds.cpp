#include "scenarios/design/steady_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "scenarios/assembly/assemble.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

constexpr Round fewest_rounds = 64, most_rounds = 8192, longest_period = 256;
constexpr std::int64_t most_messages = 8'000'000;  // of a run, about: ten seconds

/// What an agent had done when it reported a round.
struct Account {
  std::int64_t at_ns = -1;  // no report yet
  std::int64_t busy_ns = 0, messages = 0;
  Bytes bytes = 0;
};

/// Keeps the accounts of all reports.
class RoundWatch final : public Recorder, public Listener {
 public:
  RoundWatch(const Simulation& world, Round rounds)
      : world_(world),
        now_(world.network().agents()),
        rounds_(static_cast<std::size_t>(rounds) + 1, std::vector<Account>(now_.size())) {}

  void reported(AgentId agent, Round round, std::span<const VectorView>) override {
    if (round < 0 || round >= std::ssize(rounds_)) return;
    Account& account = rounds_[static_cast<std::size_t>(round)][agent] = now_[agent];
    account.at_ns = world_.now().ns();
  }
  void on_event(const SimEvent& what) override {
    Account& account = now_[what.agent];
    if (what.what != EventKind::sent) {
      account.busy_ns += what.duration.ns();
    } else {
      ++account.messages;
      account.bytes += what.amount;
    }
  }
  bool wants(EventKind what) const override {
    return what == EventKind::computed || what == EventKind::encrypted || what == EventKind::slept ||
           what == EventKind::sent;
  }
  const std::vector<std::vector<Account>>& rounds() const { return rounds_; }

 private:
  const Simulation& world_;
  std::vector<Account> now_;                  // by agent
  std::vector<std::vector<Account>> rounds_;  // of each round, by agent
};

struct WatchedRun {
  std::vector<std::vector<Account>> rounds;  // by round and agent
  std::vector<AgentId> reporters;
  Network network;
};

WatchedRun watched_run(const Scenario& scenario, const std::string& shown, ExperimentCache& cache) {
  const Experiment experiment = assemble(scenario, shown, cache);
  const auto world = experiment.simulation(1, true);
  RoundWatch watch(*world, *scenario.stop.rounds);
  world->listen(watch);
  world->record(watch);
  try {
    world->run();
  } catch (const Deadlock& deadlock) {
    throw DesignError(fmt::format("{}: expected rounds that continue, found {}", shown, deadlock.what()));
  }
  WatchedRun run{watch.rounds(), experiment.algorithm->reporters(), *experiment.network};
  for (std::size_t round = 1; round < run.rounds.size(); ++round)
    for (const AgentId agent : run.reporters)
      if (run.rounds[round][agent].at_ns < 0)
        throw DesignError(
            fmt::format("{}: expected an algorithm and agents that report every round, found none of agent {} for "
                        "round {}",
                        shown, agent, round));
  return run;
}

/// The moment at which a round was complete.
std::int64_t end_ns(const WatchedRun& run, std::size_t round) {
  std::int64_t end = 0;
  for (const AgentId agent : run.reporters) end = std::max(end, run.rounds[round][agent].at_ns);
  return end;
}

/// The fewest rounds by which all moments of the end of the run repeat. They are integers, so that this is exact; as
/// many rounds as a period has, and eight at least, have to agree, since queues are not looked at.
std::optional<std::size_t> period_of(const WatchedRun& run) {
  const std::size_t last = run.rounds.size() - 1;
  const auto repeats = [&](std::size_t period) {
    const std::int64_t cycles = end_ns(run, last) - end_ns(run, last - period);
    for (std::size_t k = 0; k < std::max<std::size_t>(period, 8); ++k)
      for (const AgentId agent : run.reporters)
        if (run.rounds[last - k][agent].at_ns - run.rounds[last - k - period][agent].at_ns != cycles) return false;
    return true;
  };
  for (std::size_t period = 1; period <= std::min<std::size_t>(last / 4, longest_period); ++period)
    if (repeats(period)) return period;
  return std::nullopt;
}

SteadyRounds steady_of(WatchedRun run, std::optional<std::size_t> period) {
  const std::size_t last = run.rounds.size() - 1, count = period.value_or(last / 2);
  const auto rounds = static_cast<double>(count);
  SteadyRounds steady{.cycle_s = static_cast<double>(end_ns(run, last) - end_ns(run, last - count)) / 1e9 / rounds,
                      .period = static_cast<Round>(period.value_or(0)),
                      .agents = std::vector<AgentRound>(run.network.agents()),
                      .network = run.network};
  for (const AgentId agent : run.reporters) {
    const Account &now = run.rounds[last][agent], &before = run.rounds[last - count][agent];
    const auto messages = static_cast<double>(now.messages - before.messages);
    steady.agents[agent] = {
        .busy_s = static_cast<double>(now.busy_ns - before.busy_ns) / 1e9 / rounds,
        .messages = messages / rounds,
        .message_bytes = messages > 0 ? static_cast<double>(now.bytes - before.bytes) / messages : 0};
  }
  return steady;
}

}  // namespace

SteadyRounds steady_rounds(Scenario scenario, const std::string& shown, ExperimentCache& cache) {
  for (Round rounds = fewest_rounds;; rounds *= 2) {
    scenario.stop = StopOptions();
    scenario.stop.rounds = rounds;
    WatchedRun run = watched_run(scenario, shown, cache);
    const auto period = period_of(run);
    std::int64_t messages = 0;
    for (const Account& account : run.rounds.back()) messages += account.messages;
    if (period || rounds >= most_rounds || 3 * messages > most_messages) return steady_of(std::move(run), period);
  }
}

}  // namespace lagnet
