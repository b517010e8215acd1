#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "scenarios/files/compressed.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/text.hpp"
#include "scenarios/format/kinds/speed_kinds.hpp"

namespace lagnet {

namespace {

constexpr std::array<std::string_view, 3> names_of_columns{"agent", "from_s", "speed_flops_per_s"};
constexpr double latest_s = 9e9;  // simulated time ends there

class SpeedTraceReader {
 public:
  SpeedTraceReader(const std::string& file, AgentId agents)
      : diagnostics_(file), speeds_(agents), last_line_(agents, 0) {}

  AgentSpeeds read(std::string_view text) {
    CsvRecords records(text, ',', diagnostics_);
    std::vector<std::string> fields;
    if (!records.next(fields)) diagnostics_.add(0, header(), "an empty file");
    diagnostics_.throw_if_any();
    if (!is_header(fields))
      diagnostics_.add(records.line(), header(), shown_token(fmt::format("{}", fmt::join(fields, ","))));
    diagnostics_.throw_if_any();
    while (records.next(fields)) read_record(records.line(), fields);
    for (std::size_t a = 0; a < speeds_.size(); ++a) {
      if (last_line_[a] == 0)
        diagnostics_.add(0, fmt::format("a line for agent {} from 0 s on", a), "none");
      else if (!speeds_[a].empty() && speeds_[a].back().flops_per_s == 0)
        diagnostics_.add(last_line_[a], fmt::format("a last speed of agent {} above 0", a), "0");
    }
    diagnostics_.throw_if_any();
    return std::move(speeds_);
  }

 private:
  static std::string header() { return fmt::format("the header {}", fmt::join(names_of_columns, ",")); }
  static bool is_header(const std::vector<std::string>& fields) {
    return std::ranges::equal(fields, names_of_columns, {}, [](const std::string& field) { return trimmed(field); });
  }

  void read_record(Index line, const std::vector<std::string>& fields) {
    if (fields.size() != names_of_columns.size())
      return diagnostics_.add(line, fmt::format("{} fields", names_of_columns.size()),
                              fmt::format("{}", fields.size()));
    std::int64_t agent = 0;
    double from_s = 0, speed = slowest_flops_per_s;
    const char* const wrong_agent = parse_integer(trimmed(fields[0]), agent);
    if (wrong_agent || agent < 0 || agent >= static_cast<std::int64_t>(speeds_.size()))
      return diagnostics_.add(line, fmt::format("an agent below {}", speeds_.size()), shown_token(trimmed(fields[0])));
    const auto id = static_cast<std::size_t>(agent);
    const bool is_first = last_line_[id] == 0;
    last_line_[id] = line;
    const bool is_time = !parse_real(trimmed(fields[1]), from_s) && from_s >= 0 && from_s <= latest_s;
    if (!is_time) diagnostics_.add(line, fmt::format("from_s from 0 to {}", latest_s), shown_token(fields[1]));
    if (parse_real(trimmed(fields[2]), speed) || !(speed == 0 || speed >= slowest_flops_per_s))
      diagnostics_.add(line, fmt::format("a speed of 0 or at least {}", slowest_flops_per_s), shown_token(fields[2]));
    if (!is_time) return;
    const Time from = Time() + Duration::seconds(from_s);
    if (is_first && from != Time())
      diagnostics_.add(line, fmt::format("0 s in the first line of agent {}", agent), shown_token(fields[1]));
    if (!speeds_[id].empty() && from <= speeds_[id].back().from)
      diagnostics_.add(
          line, fmt::format("a time after the last one of agent {}, {} s", agent, speeds_[id].back().from.in_seconds()),
          shown_token(fields[1]));
    speeds_[id].push_back({from, speed});
  }

  DataDiagnostics diagnostics_;
  AgentSpeeds speeds_;
  std::vector<Index> last_line_;  // of each agent; 0: none yet
};

/// Speeds that change with time, from a CSV file with header agent,from_s,speed_flops_per_s: a line says from when on
/// an agent has which speed. An agent's lines have ascending times (in s, the first 0, at most 9e9), other agents'
/// lines may stand between them. A speed is 0 or at least 1, an agent's last one not 0. Throws Diagnosed that names
/// each wrong line, and each agent below `agents` that has none.
AgentSpeeds read_speed_trace(const std::filesystem::path& path, AgentId agents) {
  return SpeedTraceReader(path.generic_string(), agents).read(read_data_text(path));
}

/// The class in whose part of the unit interval u lies; the last one also takes what rounding leaves of it.
const SpeedClass& class_at(const std::vector<SpeedClass>& classes, double u) {
  double end = 0;
  for (const SpeedClass& one : classes) {
    end += one.share;
    if (u < end) return one;
  }
  return classes.back();
}

/// The same as drawn numbers: the speed of agent a is the draw for purpose "speed" and agent a.
template <class Options>
AgentSpeeds make_speeds(const Options& distribution, AgentId agents, std::uint64_t seed, CheckReport&) {
  AgentSpeeds speeds;
  for (AgentId a = 0; a < agents; ++a)
    speeds.push_back({{Time(), draw(distribution, Draws(seed, Purpose{"speed"}, a))}});
  return speeds;
}

AgentSpeeds make_speeds(const SpeedListOptions& options, AgentId agents, std::uint64_t, CheckReport& report) {
  if (options.values.size() != agents)
    report("values", fmt::format("{} speeds, one for each agent", agents), options.values.size());
  AgentSpeeds speeds;
  for (const double speed : options.values) speeds.push_back({{Time(), speed}});
  return speeds;
}

AgentSpeeds make_speeds(const SpeedClassesOptions& options, AgentId agents, std::uint64_t seed, CheckReport&) {
  AgentSpeeds speeds;
  for (AgentId a = 0; a < agents; ++a) {
    const SpeedClass& chosen = class_at(options.classes, Draws(seed, Purpose{"speed_class"}, a).uniform());
    speeds.push_back({{Time(), chosen.speed_flops_per_s.make(Draws(seed, Purpose{"speed"}, a))}});
  }
  return speeds;
}

AgentSpeeds make_speeds(const SpeedTraceOptions& options, AgentId agents, std::uint64_t, CheckReport&) {
  return read_speed_trace(options.path, agents);
}

template <class... Drawn>
SpeedFamily::Kinds speeds(KindList<Drawn...>) {
  return SpeedFamily::Kinds::of<Drawn..., SpeedListOptions, SpeedClassesOptions, SpeedTraceOptions>(
      [](const auto& options, AgentId agents, std::uint64_t seed, CheckReport& report) {
        return make_speeds(options, agents, seed, report);
      });
}

}  // namespace

const SpeedFamily::Kinds& SpeedFamily::catalogue() {
  static const Kinds all = speeds(Distributions());
  return all;
}

}  // namespace lagnet
