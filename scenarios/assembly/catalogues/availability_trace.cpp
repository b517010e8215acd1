#include "scenarios/assembly/catalogues/availability_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "scenarios/files/compressed.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/text.hpp"
#include "scenarios/format/kinds/availability_kinds.hpp"

namespace lagnet {

namespace {

constexpr std::size_t fields_of_line = 3;

class AvailabilityTraceReader {
 public:
  AvailabilityTraceReader(const std::string& file, AgentId agents) : problems_(file), agents_(agents) {}

  std::vector<Outage> read(std::string_view text) {
    CsvRecords records(text, ',', problems_);
    std::vector<std::string> fields;
    for (bool first = true; records.next(fields); first = false)
      if (!first || !is_header(fields)) read_row(records.line(), fields);
    if (last_.empty() && !problems_.any()) problems_.add(0, "at least one row agent,from_s,up", "none");
    problems_.throw_if_any();
    std::vector<Outage> outages = std::move(over_);
    for (const auto& [agent, last] : last_)
      if (!last.up) outages.push_back({agent, last.since, Time::never()});
    return outages;
  }

 private:
  static bool is_header(const std::vector<std::string>& fields) {
    return fields.size() == fields_of_line && trimmed(fields[0]) == "agent" && trimmed(fields[1]) == "from_s" &&
           trimmed(fields[2]) == "up";
  }

  void read_row(Index line, const std::vector<std::string>& fields) {
    if (fields.size() != fields_of_line)
      return problems_.add(line, "3 fields, agent,from_s,up", fmt::format("{}", fields.size()));
    const std::optional<AgentId> agent = read_agent(line, trimmed(fields[0]));
    const std::optional<Time> from = read_time(line, trimmed(fields[1]));
    const std::string_view up = trimmed(fields[2]);
    const bool good = up == "0" || up == "1";
    if (!good) problems_.add(line, "0 or 1 for up", shown_token(up));
    if (agent && from && good) take(line, *agent, {.up = up == "1", .since = *from, .row = *from});
  }

  std::optional<AgentId> read_agent(Index line, std::string_view token) {
    std::int64_t agent = -1;
    const char* fault = parse_integer(token, agent);
    if (!fault && agent >= 0 && agent < std::int64_t{agents_}) return static_cast<AgentId>(agent);
    problems_.add(line, fmt::format("an agent from 0 to {}", std::int64_t{agents_} - 1), shown_token(token));
    return std::nullopt;
  }

  std::optional<Time> read_time(Index line, std::string_view token) {
    double seconds = -1;
    const char* fault = parse_real(token, seconds);
    if (!fault && moment_limits().contains(seconds)) return Time() + Duration::seconds(seconds);
    problems_.add(line, fmt::format("a time from 0 to {} s", longest_s), shown_token(token));
    return std::nullopt;
  }

  struct State {
    bool up = true;
    Time since;  // when this state began
    Time row;    // the time of the latest row, which may repeat the state
  };

  void take(Index line, AgentId agent, State next) {
    const auto [place, is_first] = last_.try_emplace(agent, next);
    if (is_first) return;
    State& last = place->second;
    if (next.row <= last.row)
      return problems_.add(
          line, fmt::format("a time after {} s, that of agent {}'s row before", last.row.in_seconds(), agent),
          fmt::format("{} s", next.row.in_seconds()));
    last.row = next.row;
    if (next.up == last.up) return;
    if (next.up) over_.push_back({agent, last.since, next.since});
    last = next;
  }

  DataProblems problems_;
  AgentId agents_;
  std::map<AgentId, State> last_;
  std::vector<Outage> over_;  // outages that have ended
};

}  // namespace

std::vector<Outage> read_availability_trace(const std::filesystem::path& path, AgentId agents) {
  return AvailabilityTraceReader(path.generic_string(), agents).read(read_data_file(path));
}

}  // namespace lagnet
