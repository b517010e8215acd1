#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/sim_event.hpp"

namespace lagnet {

/// The part of a run that is drawn.
struct TimelineLimits {
  Time from;                                                      // events before it are not
  Time until = Time::never();                                     // nor those after it
  std::int64_t bytes = std::numeric_limits<std::int64_t>::max();  // nor events after this many bytes
};

/// Draws a run for ui.perfetto.dev and chrome://tracing while it goes on: Google's "Trace Event Format" in JSON, one
/// event a line. The process "agents" has a row for each agent: what it does as slices, its sends and receives as
/// slices without length, and whatever else happens to it as instants. The process "network" has a slice for each
/// message that has a serial, from its start to its arrival or loss, and arrows lead from its send to its receive.
/// Times are in microseconds with the nanoseconds as decimals. Only the messages on their way and a few words for each
/// agent are in memory.
class Timeline : public Listener {
 public:
  /// Writes the names of the rows; `names` are those of the agents' nodes, or empty. `out` must outlive the timeline;
  /// whether writing failed is for its owner to see.
  Timeline(std::ostream& out, AgentId agents, const TimelineLimits& limits = {},
           const std::vector<std::string>& names = {});
  ~Timeline() override;  // closes
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  /// Slices of an agent never cross: being away is drawn after what the agent had begun, and a restart cuts that short.
  void on_event(const SimEvent& what) override;
  /// Ends what agents do at the end of the run, the messages that are on their way at the last time heard of, and the
  /// document. Nothing may occur after it.
  void close(Time end = Time::never());

  std::int64_t bytes() const { return bytes_; }  // so far
  /// When the bytes were used up; nothing if they were not. What had begun by then is drawn to its end.
  std::optional<Time> full_at() const { return full_at_; }

 private:
  struct OnTheWay {
    AgentId from = 0;
    AgentId to = 0;
    Round round = 0;
  };
  struct Slice {
    std::string_view name;  // a literal
    Time start;
    Time end;
    Round round = 0;
    std::string_view unit;  // of the amount, "" if there is none
    std::int64_t amount = 0;
  };
  struct Row {
    std::vector<Slice> begun;  // the agent's current activity: written when the next begins, since a restart may end it
    std::string_view point;    // "send" or "receive" if that is what the row shows last, else ""
    Time point_at;
  };

  bool is_drawn(const SimEvent& what);
  void name_row(int process, std::int64_t thread, std::string_view kind, std::string_view name, AgentId place);
  void begin_slice(const SimEvent& what, std::string_view name);
  void wait(const SimEvent& what);
  void cut_short(AgentId agent, Time at);
  void write_begun(AgentId agent, Time until = Time::never());
  void write(AgentId agent, const Slice& slice);
  void point(AgentId agent, std::string_view name, Time at);
  void instant(const SimEvent& what);
  void set_out(const SimEvent& what);
  void arrive(const SimEvent& what);

  void begin_event(char phase, std::string_view category, int process, std::int64_t thread, Time at);
  void begin_message(char phase, std::uint64_t serial, const OnTheWay& message, Time at);
  void arrow(char phase, AgentId agent, const SimEvent& what);
  template <class... Values>
  void append(fmt::format_string<Values...> format, Values&&... values);
  void append_microseconds(std::int64_t ns);
  void end_event();

  std::ostream& out_;
  fmt::memory_buffer event_;  // the one that is being written
  std::vector<Row> rows_;     // by agent
  std::map<std::uint64_t, OnTheWay> on_the_way_;
  TimelineLimits limits_;
  std::int64_t bytes_ = 0;
  std::optional<Time> full_at_;
  Time last_;
  bool is_first_ = true;
  bool is_closed_ = false;
};

}  // namespace lagnet
