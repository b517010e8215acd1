#include "scenarios/assembly/catalogues/speed_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scenarios/files/compressed.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/text.hpp"

namespace lagnet {

namespace {

constexpr std::array<std::string_view, 3> names_of_columns{"agent", "from_s", "speed_flops_per_s"};
constexpr double latest_s = 9e9;  // simulated time ends there

class SpeedTraceReader {
 public:
  SpeedTraceReader(const std::string& file, AgentId agents) : problems_(file), speeds_(agents), last_line_(agents, 0) {}

  AgentSpeeds read(std::string_view text) {
    CsvRecords records(text, ',', problems_);
    std::vector<std::string> fields;
    if (!records.next(fields)) problems_.add(0, header(), "an empty file");
    problems_.throw_if_any();
    if (!is_header(fields))
      problems_.add(records.line(), header(), shown_token(fmt::format("{}", fmt::join(fields, ","))));
    problems_.throw_if_any();
    while (records.next(fields)) read_record(records.line(), fields);
    for (std::size_t a = 0; a < speeds_.size(); ++a) {
      if (last_line_[a] == 0)
        problems_.add(0, fmt::format("a line for agent {} from 0 s on", a), "none");
      else if (!speeds_[a].empty() && speeds_[a].back().flops_per_s == 0)
        problems_.add(last_line_[a], fmt::format("a last speed of agent {} above 0", a), "0");
    }
    problems_.throw_if_any();
    return std::move(speeds_);
  }

 private:
  static std::string header() { return fmt::format("the header {}", fmt::join(names_of_columns, ",")); }
  static bool is_header(const std::vector<std::string>& fields) {
    return std::ranges::equal(fields, names_of_columns, {}, [](const std::string& field) { return trimmed(field); });
  }

  void read_record(Index line, const std::vector<std::string>& fields) {
    if (fields.size() != names_of_columns.size())
      return problems_.add(line, fmt::format("{} fields", names_of_columns.size()), fmt::format("{}", fields.size()));
    std::int64_t agent = 0;
    double from_s = 0, speed = slowest_flops_per_s;
    const char* const wrong_agent = parse_integer(trimmed(fields[0]), agent);
    if (wrong_agent || agent < 0 || agent >= static_cast<std::int64_t>(speeds_.size()))
      return problems_.add(line, fmt::format("an agent below {}", speeds_.size()), shown_token(trimmed(fields[0])));
    const auto id = static_cast<std::size_t>(agent);
    const bool is_first = last_line_[id] == 0;
    last_line_[id] = line;
    const bool is_time = !parse_real(trimmed(fields[1]), from_s) && from_s >= 0 && from_s <= latest_s;
    if (!is_time) problems_.add(line, fmt::format("from_s from 0 to {}", latest_s), shown_token(fields[1]));
    if (parse_real(trimmed(fields[2]), speed) || !(speed == 0 || speed >= slowest_flops_per_s))
      problems_.add(line, fmt::format("a speed of 0 or at least {}", slowest_flops_per_s), shown_token(fields[2]));
    if (!is_time) return;
    const Time from = Time() + Duration::seconds(from_s);
    if (is_first && from != Time())
      problems_.add(line, fmt::format("0 s in the first line of agent {}", agent), shown_token(fields[1]));
    if (!speeds_[id].empty() && from <= speeds_[id].back().from)
      problems_.add(
          line, fmt::format("a time after the last one of agent {}, {} s", agent, speeds_[id].back().from.in_seconds()),
          shown_token(fields[1]));
    speeds_[id].push_back({from, speed});
  }

  DataProblems problems_;
  AgentSpeeds speeds_;
  std::vector<Index> last_line_;  // of each agent; 0: none yet
};

}  // namespace

AgentSpeeds read_speed_trace(const std::filesystem::path& path, AgentId agents) {
  return SpeedTraceReader(path.generic_string(), agents).read(read_data_file(path));
}

}  // namespace lagnet
