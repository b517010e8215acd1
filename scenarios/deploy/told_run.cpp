#include "scenarios/deploy/told_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/results/run_files.hpp"
#include "scenarios/sweep/earlier_results.hpp"
#include "scenarios/words/words.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

/// Processes of one computer share a clock; those of several have their wall clocks.
bool share_a_clock(const std::vector<LogStart>& starts) {
  return std::ranges::all_of(starts, [&](const LogStart& start) { return start.boot == starts.front().boot; });
}

}  // namespace

ToldRun::ToldRun(const Experiment& experiment, const std::vector<std::filesystem::path>& logs)
    : experiment_(experiment) {
  std::vector<LogStart> starts;
  for (const auto& file : logs) {
    auto log = std::make_unique<EventLogReader>(file);
    unstarted_ += log->has_started() ? 0 : 1;
    if (!log->has_started()) continue;
    starts.push_back(log->start());
    processes_.push_back({.log = std::move(log), .delay = {}, .next = {}, .waits = {}, .work = {}, .computations = {}});
    processes_.back().take_times(file);
  }
  if (starts.empty()) throw RunError("all event records are empty");
  const bool is_one_clock = share_a_clock(starts);
  const auto start_of = [&](const LogStart& start) { return is_one_clock ? start.steady_ns : start.wall_ns; };
  std::int64_t first = start_of(starts.front());
  for (const LogStart& start : starts) first = std::min(first, start_of(start));
  for (std::size_t k = 0; k < processes_.size(); ++k) {
    processes_[k].delay = Duration::nanoseconds(start_of(starts[k]) - first);
    processes_[k].go_on();
  }
}

void ToldRun::Process::go_on() {
  do next = log->next();
  while (next && (next->wait || next->work));
}

/// They follow the events that they belong to in the file, so they are read before these events are replayed.
void ToldRun::Process::take_times(const std::filesystem::path& file) {
  EventLogReader reader(file);
  while (const auto entry = reader.next()) {
    if (entry->wait) waits[{entry->wait->link, entry->wait->serial}] = entry->wait->duration;
    if (entry->work) work[{entry->work->agent, entry->work->number}] = entry->work->duration;
  }
}

void ToldRun::listen(Listener& listener) {
  for (std::size_t kind = 0; kind < listeners_.size(); ++kind)
    if (listener.wants(static_cast<EventKind>(kind))) listeners_[kind].push_back(&listener);
}

Time ToldRun::time_of(const Process& process) const {
  return process.next->report ? now_ : std::max(now_, process.next->event.at + process.delay);
}

/// Whether no message would arrive before it was sent, although clocks differ. A report follows its event.
bool ToldRun::is_due(const Process& process) const {
  const SimEvent& event = process.next->event;
  if (process.next->report || event.what != EventKind::delivered) return true;
  const auto found = under_way_.find(event.link);
  return found != under_way_.end() &&
         std::ranges::find(found->second, event.serial, &UnderWay::sent) != found->second.end();
}

ToldRun::Process* ToldRun::earliest() {
  Process* earliest = nullptr;
  for (Process& process : processes_)
    if (process.next && is_due(process) && (!earliest || time_of(process) < time_of(*earliest) || process.next->report))
      earliest = &process;
  return earliest;
}

void ToldRun::check(const LogEntry& entry) const {
  const AgentId agents = network().agents();
  const SimEvent& event = entry.event;
  const bool is_sending = event.what == EventKind::sent || event.what == EventKind::delivered;
  const bool has_link = event.link < network().links() || (!is_sending && event.link == no_link);
  const bool is_counting = event.what == EventKind::counted;
  const bool has_peers =
      event.peer < agents && (!is_counting || (event.amount > 0 && event.amount <= agents - event.peer));
  if (entry.report ? entry.report->agent >= agents : event.agent >= agents || !has_peers || !has_link)
    throw RunError("a record has agents or links that the plan does not have");
}

void ToldRun::tell(Process& process) {
  LogEntry entry = std::move(*process.next);
  check(entry);
  process.go_on();
  if (entry.report) {
    std::vector<VectorView> parts;
    for (const Vector& part : entry.report->parts) parts.emplace_back(part.data(), part.size());
    if (recorder_) recorder_->reported(entry.report->agent, entry.report->round, parts);
    return;
  }
  SimEvent& event = entry.event;
  complete(event, process);
  for (Listener* listener : listeners_[static_cast<std::size_t>(event.what)]) listener->on_event(event);
}

void ToldRun::complete(SimEvent& event, Process& process) {
  event.at = now_;
  if (event.what == EventKind::computed || event.what == EventKind::encrypted) {
    const auto found = process.work.find({event.agent, ++process.computations[event.agent]});
    if (found != process.work.end()) event.duration = found->second;
  } else if (event.what == EventKind::sent) {
    const auto wait = process.waits.find({event.link, event.serial});
    under_way_[event.link].push_back({.sent = event.serial,
                                      .serial = ++serials_,
                                      .at = now_,
                                      .queued = wait == process.waits.end() ? Duration() : wait->second});
    event.serial = serials_;
  } else if (event.what == EventKind::delivered) {
    // Over a connection messages keep their order: those before it are lost, with the process that sent or got them.
    std::deque<UnderWay>& messages = under_way_[event.link];
    messages.erase(messages.begin(), std::ranges::find(messages, event.serial, &UnderWay::sent));
    event.serial = messages.front().serial;
    event.duration = now_ - messages.front().at;  // each process has counted from its own time 0
    event.queued = std::min(messages.front().queued, event.duration);
    messages.pop_front();
  }
}

void ToldRun::look_until(Time before) {
  while (watcher_ && watch_at_ < before && !is_stopped_) watch_at_ = watcher_->look(watch_at_);
}

Remarks ToldRun::remarks() const {
  const auto killed = unstarted_ + std::ranges::count_if(processes_, [this](const Process& process) {
                        return !is_stopped_ && !process.log->has_ended();
                      });
  if (killed == 0) return {};
  return {{"records_without_end",
           {{"records", killed}},
           fmt::format("{} without an end: {} killed, and unsent messages are lost", counted(killed, "record"),
                       killed == 1 ? "its process was" : "their processes were")}};
}

Ending ToldRun::run() {
  Ending ending;
  while (!is_stopped_) {
    Process* const next = earliest();
    if (!next) break;
    const Time at = time_of(*next);
    if (at > now_) look_until(at);
    if (is_stopped_) break;
    now_ = at;
    if (next->next->report) ending.last_report = now_;
    ++ending.events;
    tell(*next);
  }
  if (!is_stopped_) {
    for (const Process& process : processes_) {
      if (process.next)
        throw RunError(
            "a message arrived that no record shows as sent; expected the records of all processes of one run");
      for (SimEvent wait : process.log->waits()) {
        wait.at = wait.at + process.delay;
        waits_.push_back(wait);
      }
    }
    std::ranges::stable_sort(waits_, {}, &SimEvent::agent);
  }
  ending.reason = is_stopped_ ? EndReason::stopped : EndReason::finished;
  ending.last_event = now_;
  return ending;
}

namespace fs = std::filesystem;

Outcome write_told_run(const Experiment& experiment, const std::vector<fs::path>& records, const fs::path& out,
                       RunOptions options) {
  ToldRun told(experiment, records);
  options.world = &told;
  StagedFolder staged(out);
  const fs::path run_folder = staged.folder() / "run";  // run_point() makes it
  Outcome outcome = run_point(experiment, run_folder, staged.target(), std::move(options));
  for (const auto& entry : fs::directory_iterator(run_folder))
    fs::rename(entry.path(), staged.folder() / entry.path().filename());
  fs::remove(run_folder);
  write_build(staged.folder());
  staged.publish();
  return outcome;
}

}  // namespace lagnet
