#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/run/recorded_world.hpp"
#include "scenarios/run/run.hpp"
#include "sim/realtime/event_log.hpp"

namespace lagnet {

/// A run that took place in several processes, replayed in the order of time, so that the recorders of simulated runs
/// can record it.
class ToldRun final : public RecordedWorld {
 public:
  /// From the files of all its processes. Throws RunError where one cannot be read.
  ToldRun(const Experiment& experiment, const std::vector<std::filesystem::path>& logs);

  std::string_view runtime() const override { return "tcp"; }
  const Network& network() const override { return *experiment_.network; }
  const WorldModel& model() const override { return experiment_.model; }
  void listen(Listener& listener) override;
  void record(Recorder& recorder) override { recorder_ = &recorder; }
  void watch(Watcher& watcher, Time first) override {
    watcher_ = &watcher;
    watch_at_ = first;
  }
  void watch_this_instant() override { watch_at_ = std::min(watch_at_, now_); }
  Ending run() override;
  Time now() const override { return now_; }
  bool stop() override {
    if (is_stopped_) return false;
    return is_stopped_ = true;
  }
  std::vector<SimEvent> waits_under_way() const override { return waits_; }
  Remarks remarks() const override;

 private:
  struct Process {
    std::unique_ptr<EventLogReader> log;
    Duration delay;                                              // of its time 0 after that of the first process
    std::optional<LogEntry> next;                                // but for times, which are known before
    std::map<std::pair<LinkId, std::uint64_t>, Duration> waits;  // of messages, by their serials
    std::map<std::pair<AgentId, std::int64_t>, Duration> work;   // of computations, by their numbers
    std::map<AgentId, std::int64_t> computations;                // of each agent, already replayed
    void take_times(const std::filesystem::path& file);
    void go_on();
  };
  /// A message that was replayed as sent, and not yet as delivered.
  struct UnderWay {
    std::uint64_t sent;    // by which sender and receiver call it
    std::uint64_t serial;  // among all replayed ones
    Time at;               // when it is replayed as sent
    Duration queued;
  };
  Time time_of(const Process& process) const;
  bool is_due(const Process& process) const;
  void complete(SimEvent& event, Process& process);  // by what is known later, and to others
  Process* earliest();
  void check(const LogEntry& entry) const;
  void tell(Process& process);
  void look_until(Time before);

  const Experiment& experiment_;
  std::vector<Process> processes_;
  std::ptrdiff_t unstarted_ = 0;  // records of processes that were killed before time 0
  std::array<std::vector<Listener*>, event_kinds> listeners_;
  Recorder* recorder_ = nullptr;
  Watcher* watcher_ = nullptr;
  Time watch_at_ = Time::never();
  Time now_;
  bool is_stopped_ = false;
  std::map<LinkId, std::deque<UnderWay>> under_way_;
  std::vector<SimEvent> waits_;
  std::uint64_t serials_ = 0;
};

/// Writes the folder of a run whose agents were processes, from the records of all of them. Throws RunError where one
/// cannot be read, and OutputError.
Outcome write_told_run(const Experiment& experiment, const std::vector<std::filesystem::path>& records,
                       const std::filesystem::path& out, RunOptions options);

}  // namespace lagnet
