#include "scenarios/run/timeline.hpp"

#include <algorithm>
#include <iterator>
#include <ostream>
#include <utility>

#include "scenarios/json/diagnostics.hpp"
#include "sim/accounts/trace.hpp"

namespace lagnet {

namespace {

constexpr int agents_process = 1, network_process = 2;
constexpr std::int64_t network_thread = 1;

/// Viewers take thread 0 for a processor that idles.
std::int64_t thread_of(AgentId agent) { return static_cast<std::int64_t>(agent) + 1; }

}  // namespace

Timeline::Timeline(std::ostream& out, AgentId agents, const TimelineLimits& limits,
                   const std::vector<std::string>& names)
    : out_(out), rows_(agents), limits_(limits) {
  out_ << R"({"displayTimeUnit":"ns","traceEvents":[)";
  name_row(agents_process, thread_of(0), "process", "agents", 0);
  name_row(network_process, network_thread, "process", "network", 1);
  name_row(network_process, network_thread, "thread", "messages", 0);
  for (AgentId id = 0; id < agents; ++id)
    name_row(agents_process, thread_of(id), "thread",
             names.empty() ? fmt::format("agent {}", id) : fmt::format("agent {}: {}", id, names[id]), id);
}

Timeline::~Timeline() { close(); }

void Timeline::on_event(const SimEvent& what) {
  last_ = what.at;
  if (!is_drawn(what)) return;
  switch (what.what) {
    case EventKind::sent:
      return set_out(what);
    case EventKind::delivered:
    case EventKind::lost:
      return arrive(what);
    case EventKind::computed:
      return begin_slice(what, "compute");
    case EventKind::encrypted:
      return begin_slice(what, "encrypt");
    case EventKind::waited:
      return wait(what);
    case EventKind::slept:
      return begin_slice(what, "sleep");
    case EventKind::away:
      return begin_slice(what, "away");
    case EventKind::late:
    case EventKind::superseded:
    case EventKind::duplicate:
    case EventKind::dropped:
    case EventKind::stale:
    case EventKind::collected:
    case EventKind::reported:
      return instant(what);
    case EventKind::restarted:
      cut_short(what.agent, what.at);
      return instant(what);
    case EventKind::took:
    case EventKind::used:
    case EventKind::missed:
    case EventKind::counted:
      return;
  }
}

/// Messages that set out in time are followed to their arrival.
bool Timeline::is_drawn(const SimEvent& what) {
  if (bytes_ >= limits_.bytes && !full_at_) full_at_ = what.at;
  if (!full_at_ && what.at >= limits_.from && what.at <= limits_.until) return true;
  const bool is_arrival = what.what == EventKind::delivered || what.what == EventKind::lost;
  return is_arrival && on_the_way_.contains(what.serial);
}

void Timeline::close(Time end) {
  if (std::exchange(is_closed_, true)) return;
  for (AgentId agent = 0; agent < rows_.size(); ++agent) write_begun(agent, end);
  for (const auto& [serial, message] : on_the_way_) {
    begin_message('e', serial, message, last_);
    append(R"(,"args":{{"arrived":false}})");
    end_event();
  }
  out_ << "\n]}\n";
}

// Rows

void Timeline::name_row(int process, std::int64_t thread, std::string_view kind, std::string_view name, AgentId place) {
  append(R"({{"ph":"M","pid":{},"tid":{},"name":"{}_name","args":{{"name":{}}})", process, thread, kind,
         Json(name).dump());
  end_event();
  append(R"({{"ph":"M","pid":{},"tid":{},"name":"{}_sort_index","args":{{"sort_index":{}}})", process, thread, kind,
         place);
  end_event();
}

void Timeline::begin_slice(const SimEvent& what, std::string_view name) {
  Row& row = rows_[what.agent];
  row.point = "";
  Slice slice{.name = name,
              .start = what.at,
              .end = saturated(what.at, what.duration),
              .round = what.round,
              .unit = unit_of_amount(what.what),
              .amount = what.amount};
  if (what.what != EventKind::away) {
    write_begun(what.agent);
  } else if (!row.begun.empty() && row.begun.back().end > slice.start) {
    slice.start = row.begun.back().end;
    slice.end = saturated(slice.start, what.duration);
  }
  row.begun.push_back(slice);
}

/// What it had begun before is over by then.
void Timeline::wait(const SimEvent& what) {
  if (what.duration == Duration()) return;
  write_begun(what.agent);
  const Time start = Time::nanoseconds(what.at.ns() - what.duration.ns());
  write(what.agent, {.name = "wait", .start = start, .end = what.at, .round = what.round});
}

void Timeline::cut_short(AgentId agent, Time at) {
  std::vector<Slice>& begun = rows_[agent].begun;
  std::erase_if(begun, [&](const Slice& slice) { return slice.start >= at; });
  for (Slice& slice : begun) slice.end = std::min(slice.end, at);
}

void Timeline::write_begun(AgentId agent, Time until) {
  for (Slice& slice : rows_[agent].begun) {
    slice.end = std::min(slice.end, until);
    if (slice.start <= slice.end) write(agent, slice);
  }
  rows_[agent].begun.clear();
}

void Timeline::write(AgentId agent, const Slice& slice) {
  begin_event('X', "agent", agents_process, thread_of(agent), slice.start);
  append(R"(,"dur":)");
  append_microseconds((slice.end - slice.start).ns());
  append(R"(,"name":"{}","args":{{"round":{})", slice.name, slice.round);
  if (!slice.unit.empty()) append(R"(,"{}":{})", slice.unit, slice.amount);
  append("}}");
  end_event();
}

/// One for all that an agent sends, or receives, at one instant: viewers stack slices without length on each other, and
/// not more than a few hundred.
void Timeline::point(AgentId agent, std::string_view name, Time at) {
  Row& row = rows_[agent];
  if (row.point == name && row.point_at == at) return;
  row.point = name;
  row.point_at = at;
  begin_event('X', "agent", agents_process, thread_of(agent), at);
  append(R"(,"dur":0,"name":"{}")", name);
  end_event();
}

void Timeline::instant(const SimEvent& what) {
  rows_[what.agent].point = "";
  begin_event('i', "agent", agents_process, thread_of(what.agent), what.at);
  append(R"(,"s":"t","name":"{}","args":{{"round":{})", name(what.what), what.round);
  if (what.peer != what.agent) append(R"(,"peer":{})", what.peer);
  if (const auto amount = unit_of_amount(what.what); !amount.empty()) append(R"(,"{}":{})", amount, what.amount);
  if (what.cause != Cause::none) append(R"(,"cause":"{}")", name(what.cause));
  append("}}");
  end_event();
}

// Messages

void Timeline::set_out(const SimEvent& what) {
  point(what.agent, "send", what.at);
  if (what.serial == 0) return;
  const OnTheWay message{.from = what.agent, .to = what.peer, .round = what.round};
  on_the_way_[what.serial] = message;
  arrow('s', what.agent, what);
  begin_message('b', what.serial, message, what.at);
  append(R"(,"args":{{"bytes":{})", what.amount);
  if (what.cause != Cause::none) append(R"(,"cause":"{}")", name(what.cause));
  append("}}");
  end_event();
}

void Timeline::arrive(const SimEvent& what) {
  const bool is_lost = what.what == EventKind::lost;
  if (!is_lost) point(what.agent, "receive", what.at);
  const auto found = on_the_way_.find(what.serial);
  if (found == on_the_way_.end()) return;
  if (!is_lost) arrow('f', what.agent, what);
  begin_message('e', what.serial, found->second, what.at);
  append(R"(,"args":{{"queued_us":)");
  append_microseconds(what.queued.ns());
  if (is_lost) append(R"(,"lost":"{}")", name(what.cause));  // not "cause", which says why it set out
  append("}}");
  end_event();
  on_the_way_.erase(found);
}

// The text of an event

void Timeline::begin_event(char phase, std::string_view category, int process, std::int64_t thread, Time at) {
  append(R"({{"ph":"{}","cat":"{}","pid":{},"tid":{},"ts":)", phase, category, process, thread);
  append_microseconds(at.ns());
}

void Timeline::begin_message(char phase, std::uint64_t serial, const OnTheWay& message, Time at) {
  begin_event(phase, "message", network_process, network_thread, at);
  append(R"(,"id":{},"name":"{} → {}, round {}")", serial, message.from, message.to, message.round);
}

/// Binds to the slice that the row shows at that time: point() comes right before it.
void Timeline::arrow(char phase, AgentId agent, const SimEvent& what) {
  begin_event(phase, "message", agents_process, thread_of(agent), what.at);
  append(R"(,"id":{},"name":"message")", what.serial);
  if (phase == 'f') append(R"(,"bp":"e")");
  end_event();
}

template <class... Values>
void Timeline::append(fmt::format_string<Values...> format, Values&&... values) {
  event_.append(fmt::format(format, std::forward<Values>(values)...));
}

/// Exact, as no double is.
void Timeline::append_microseconds(std::int64_t ns) {
  append("{}", ns / 1000);
  if (ns % 1000 != 0) append(".{:03}", ns % 1000);
}

void Timeline::end_event() {
  out_ << (is_first_ ? "\n" : ",\n");
  out_.write(event_.data(), static_cast<std::streamsize>(event_.size()));
  out_ << '}';
  bytes_ += static_cast<std::int64_t>(event_.size()) + 2 + (is_first_ ? 0 : 1);
  event_.clear();
  is_first_ = false;
}

}  // namespace lagnet
