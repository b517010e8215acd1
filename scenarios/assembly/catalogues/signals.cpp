#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "scenarios/files/compressed.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/text.hpp"
#include "scenarios/format/kinds/signal_kinds.hpp"
#include "topologies/graph_notes.hpp"

namespace lagnet {

namespace {

struct Pieces {
  std::vector<Time> times;
  std::vector<double> values;
  std::optional<Duration> period;
};

/// Reports what a number of this role cannot be, once.
void check_values(const Pieces& pieces, SignalRole role, std::string_view key, CheckReport& report) {
  const auto refuse = [&](const char* expected, double found) { report(key, expected, found); };
  for (const double value : pieces.values) {
    if (value < 0) return refuse("numbers of at least 0", value);
    if (role == SignalRole::latency_ms && value > longest_latency_ms)
      return refuse("latencies of at most 1e9 ms", value);
    if (role == SignalRole::probability && value > 1) return refuse("probabilities, at most 1", value);
    if (role == SignalRole::bandwidth_bytes_per_s && value > 0 && value < 1)
      return refuse("bandwidths of 0, or of at least 1 byte per second", value);
  }
  if (role != SignalRole::bandwidth_bytes_per_s) return;
  const bool ends = !pieces.period && pieces.values.back() == 0;
  if (ends || std::ranges::all_of(pieces.values, [](double value) { return value == 0; }))
    refuse("a last bandwidth above 0, or one above 0 that comes again", 0);
}

Signal made(Pieces pieces, SignalRole role, std::string_view key, CheckReport& report) {
  check_values(pieces, role, key, report);
  const bool is_rate = role == SignalRole::bandwidth_bytes_per_s;
  const auto first = std::ranges::find_if(pieces.values, [is_rate](double value) { return !is_rate || value > 0; });
  Signal signal{first == pieces.values.end() ? 0 : *first, nullptr};
  if (role == SignalRole::latency_ms)
    for (double& ms : pieces.values) ms = static_cast<double>(Duration::milliseconds(ms).ns());
  signal.schedule = std::make_shared<Schedule>(std::move(pieces.times), std::move(pieces.values), pieces.period);
  return signal;
}

std::optional<Duration> period_of(const std::optional<double>& repeat_after_s) {
  return repeat_after_s ? std::optional(Duration::seconds(*repeat_after_s)) : std::nullopt;
}

}  // namespace

/// Its limits are those of the option.
Signal make_signal(const ConstantOptions& options, SignalRole, CheckReport&) { return {options.value, nullptr}; }

Signal make_signal(const SignalScheduleOptions& options, SignalRole role, CheckReport& report) {
  Pieces pieces{.times = {}, .values = {}, .period = period_of(options.repeat_after_s)};
  for (const double at_s : options.at_s) pieces.times.push_back(Time() + Duration::seconds(at_s));
  for (const double value : options.values) pieces.values.push_back(options.scale * value);
  return made(std::move(pieces), role, "values", report);
}

namespace {

/// The separator of a table, by its first line that is no comment.
char separator_of(std::string_view line) {
  for (const char one : {',', ';', '\t'})
    if (line.find(one) != std::string_view::npos) return one;
  return ' ';
}

std::vector<std::string> fields_of(std::string_view line, char separator) {
  std::vector<std::string> fields;
  if (separator == ' ') {
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) fields.emplace_back(word);
    return fields;
  }
  DataDiagnostics none("");
  CsvRecords records(line, separator, none);
  records.next(fields);
  for (std::string& field : fields) field = std::string(trimmed(field));
  return fields;
}

/// A table of numbers: reads two of its columns.
class TraceReader {
 public:
  TraceReader(const SignalTraceOptions& options) : options_(options), diagnostics_(options.path.generic_string()) {}

  Pieces read(std::string_view text) {
    TextLines lines(text);
    bool is_first = true;
    for (std::string_view line; lines.next(line);) {
      line = trimmed(line);
      if (line.empty() || line.front() == '#') continue;
      if (std::exchange(is_first, false)) {
        separator_ = separator_of(line);
        if (begin(lines.number(), fields_of(line, separator_))) continue;
      }
      add(lines.number(), fields_of(line, separator_));
    }
    if (is_first) diagnostics_.add(0, "a table", "an empty file");
    diagnostics_.throw_if_any();
    return cut();
  }

 private:
  /// Whether the first line has names.
  bool begin(Index line, const std::vector<std::string>& fields) {
    const bool has_names = std::ranges::none_of(fields, [](const std::string& one) { return looks_numeric(one); });
    time_ = column(line, options_.time, has_names ? fields : std::vector<std::string>(), fields.size());
    value_ = column(line, options_.column, has_names ? fields : std::vector<std::string>(), fields.size());
    diagnostics_.throw_if_any();
    return has_names;
  }

  std::size_t column(Index line, const NameOrNumber& asked, const std::vector<std::string>& names, std::size_t count) {
    if (asked.name.empty() && asked.number < static_cast<std::int64_t>(count))
      return static_cast<std::size_t>(asked.number);
    const auto found = std::ranges::find(names, asked.name);
    if (!asked.name.empty() && found != names.end()) return static_cast<std::size_t>(found - names.begin());
    diagnostics_.add(line,
                     names.empty()
                         ? fmt::format("a column {} in place of a name, since the table has none", shown(asked))
                         : fmt::format("a column {}", shown(asked)),
                     names.empty() ? fmt::format("{} columns", count) : fmt::format("{}", fmt::join(names, ", ")));
    return 0;
  }

  void add(Index line, const std::vector<std::string>& fields) {
    double time = 0, value = 0;
    const auto read = [&](std::size_t place, double& into) {
      if (place >= fields.size())
        return diagnostics_.add(line, fmt::format("{} columns", place + 1), fmt::format("{}", fields.size()));
      if (const char* const expected = parse_real(fields[place], into))
        diagnostics_.add(line, expected, shown_token(fields[place]));
    };
    read(time_, time);
    read(value_, value);
    if (!times_s_.empty() && time <= times_s_.back())
      diagnostics_.add(line, "a time after the one before", fmt::format("{}", time));
    times_s_.push_back(time);
    values_.push_back(options_.scale * value);
  }

  /// From the offset on.
  Pieces cut() const {
    Pieces pieces{.times = {}, .values = {}, .period = period_of(options_.repeat_after_s)};
    for (std::size_t k = 0; k < times_s_.size(); ++k) {
      const double at_s = times_s_[k] - options_.offset_s;
      const bool holds_at_start = k + 1 == times_s_.size() || times_s_[k + 1] > options_.offset_s;
      if (at_s < 0 && !holds_at_start) continue;
      pieces.times.push_back(Time() + Duration::seconds(std::max(0.0, at_s)));
      pieces.values.push_back(values_[k]);
    }
    return pieces;
  }

  const SignalTraceOptions& options_;
  DataDiagnostics diagnostics_;
  char separator_ = ',';
  std::size_t time_ = 0, value_ = 0;
  std::vector<double> times_s_, values_;
};

}  // namespace

Signal make_signal(const SignalTraceOptions& options, SignalRole role, CheckReport& report) {
  Pieces pieces = TraceReader(options).read(read_data_text(options.path));
  if (pieces.period && Time() + *pieces.period <= pieces.times.back())
    report("repeat_after_s", fmt::format("more than {}, the last time of the trace", pieces.times.back().in_seconds()),
           *options.repeat_after_s);
  else
    return made(std::move(pieces), role, "column", report);
  return {};
}

/// Packets are counted by bins; the last line is the period, and its bin ends there.
Signal make_signal(const MahimahiOptions& options, SignalRole role, CheckReport& report) {
  if (role != SignalRole::bandwidth_bytes_per_s) {
    report("kind", "another kind, since mahimahi's files are bandwidths", MahimahiOptions::kind);
    return {};
  }
  DataDiagnostics diagnostics(options.path.generic_string());
  const std::string text = read_data_text(options.path);
  std::map<std::int64_t, std::int64_t> packets;  // by bin
  std::int64_t last = 0;
  TextLines lines(text);
  for (std::string_view line; lines.next(line);) {
    line = trimmed(line);
    std::int64_t ms = 0;
    if (line.empty()) continue;
    if (const char* const expected = parse_integer(line, ms))
      diagnostics.add(lines.number(), expected, shown_token(line));
    else if (ms < last)
      diagnostics.add(lines.number(), fmt::format("a time of {} ms or later", last), fmt::format("{}", ms));
    last = std::max(last, ms);
    ++packets[std::max<std::int64_t>(
        0, static_cast<std::int64_t>(std::ceil(static_cast<double>(ms) / options.bin_ms)) - 1)];
  }
  if (last <= 0) diagnostics.add(lines.number(), "a last time above 0 ms", packets.empty() ? "an empty file" : "0");
  diagnostics.throw_if_any();
  const auto bins = static_cast<std::int64_t>(std::ceil(static_cast<double>(last) / options.bin_ms));
  Pieces pieces{.times = {}, .values = {}, .period = Duration::milliseconds(static_cast<double>(last))};
  for (std::int64_t bin = 0; bin < bins; ++bin) {
    const double from = static_cast<double>(bin) * options.bin_ms;
    const double until = std::min(from + options.bin_ms, static_cast<double>(last));
    pieces.times.push_back(Time() + Duration::milliseconds(from));
    pieces.values.push_back(1500 * static_cast<double>(packets[bin]) / ((until - from) / 1e3));
  }
  return made(std::move(pieces), role, "path", report);
}

namespace {

template <class Options>
Signal make_rate(const Options& options, Draws draws, CheckReport&) {
  return {draw(options, draws), nullptr};
}
template <class Options>
requires requires(const Options& options, CheckReport& report) { make_signal(options, SignalRole(), report); }
Signal make_rate(const Options& options, Draws draws, CheckReport& report) {
  if constexpr (std::is_same_v<Options, ConstantOptions>) return {draw(options, draws), nullptr};
  return make_signal(options, SignalRole::bandwidth_bytes_per_s, report);
}

template <class... Drawn>
RateFamily::Kinds rates(KindList<Drawn...>) {
  return RateFamily::Kinds::of<Drawn..., SignalScheduleOptions, SignalTraceOptions, MahimahiOptions>(
      [](const auto& options, Draws draws, CheckReport& report) { return make_rate(options, draws, report); });
}

}  // namespace

const SignalFamily::Kinds& SignalFamily::catalogue() {
  static const Kinds all = Kinds::of<ConstantOptions, SignalScheduleOptions, SignalTraceOptions, MahimahiOptions>(
      [](const auto& options, SignalRole role, CheckReport& report) { return make_signal(options, role, report); });
  return all;
}

const RateFamily::Kinds& RateFamily::catalogue() {
  static const Kinds all = rates(Distributions());
  return all;
}

}  // namespace lagnet
