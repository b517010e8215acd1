#include "tools/cli/results/commands.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "scenarios/compare/difference.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/named_files.hpp"
#include "scenarios/json/diagnostics.hpp"
#include "scenarios/json/json_file.hpp"
#include "tools/console/printing.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

struct Comparison {
  std::vector<std::pair<std::string, TraceDifference>> traces;  // by name, "" for two files
  std::vector<std::string> files;                               // "progress.csv:3: objective is .."
  std::vector<std::string> without_events;                      // traces that a folder lacks, "B/trace.jsonl"

  bool same() const {
    for (const auto& [name, trace] : traces)
      if (!trace.same()) return false;
    return files.empty();
  }
  std::int64_t events() const {
    std::int64_t sum = 0;
    for (const auto& [name, trace] : traces) sum += trace.common;
    return sum;
  }
};

/// Throws InputError unless it is a file or a result folder; says whether it is a folder.
bool is_folder(const std::string& given) {
  if (fs::is_regular_file(given)) return false;
  if (fs::is_directory(given) && is_result_folder(given)) return true;
  throw InputError(fmt::format("{}: expected a trace (trace.jsonl) or the folder of a run, found {}", given,
                               fs::exists(given) ? "something else" : "nothing"));
}

Json json_in(const fs::path& file) { return try_json(read_file(file)); }

/// The events of every run, then the files that they have read, then all other files.
Comparison compare_folders(const fs::path& a, const fs::path& b) {
  Comparison found;
  const std::vector<fs::path> names = files_in_order({a, b});
  for (const fs::path& name : names) {
    if (name.filename() != "summary.json") continue;
    const fs::path trace = name.parent_path() / "trace.jsonl";
    const bool in_a = fs::exists(a / trace), in_b = fs::exists(b / trace);
    if (in_a && in_b) found.traces.emplace_back(trace.string(), trace_difference(a / trace, b / trace));
    if (!in_a) found.without_events.push_back("A/" + trace.string());
    if (!in_b) found.without_events.push_back("B/" + trace.string());
  }
  for (const fs::path& name : names)  // the reason for all else
    if (name.filename() == "summary.json" && fs::exists(a / name) && fs::exists(b / name))
      if (const auto input = input_difference(inputs_in(json_in(a / name)), inputs_in(json_in(b / name))))
        found.files.push_back(fmt::format("{}: {} in B", name.string(), sentence(*input)));
  for (const fs::path& name : names) {
    if (name.filename() == "trace.jsonl" || name.filename() == "report.html") continue;
    if (const bool in_a = fs::exists(a / name); !in_a || !fs::exists(b / name))
      found.files.push_back(fmt::format("{}: only in {}", name.string(), in_a ? "A" : "B"));
    else if (const auto difference = file_difference(a / name, b / name, name))
      found.files.push_back(sentence(*difference, "in B"));
  }
  return found;
}

Comparison compare(const std::string& a, const std::string& b) {
  const bool a_is_folder = is_folder(a), b_is_folder = is_folder(b);
  if (a_is_folder && b_is_folder) return compare_folders(a, b);
  const auto trace_of = [](const fs::path& given, bool folder) { return folder ? given / "trace.jsonl" : given; };
  Comparison found;
  found.traces.emplace_back("", trace_difference(trace_of(a, a_is_folder), trace_of(b, b_is_folder)));
  return found;
}

void print(const std::string& name, const TraceDifference& trace) {
  const std::int64_t number = trace.common + 1;
  const std::string prefix = name.empty() ? "" : name + ": ";
  if (trace.a.empty() || trace.b.empty())
    print_out("{}{} ends after {} events, and {} has {} more\n", prefix, trace.a.empty() ? "A" : "B", trace.common,
              trace.a.empty() ? "B" : "A", trace.rest);
  else
    print_out("{}event {} is the first that differs\n", prefix, number);
  std::int64_t at = number - static_cast<std::int64_t>(trace.before.size());
  for (const std::string& line : trace.before) print_out("  both {:>6}  {}\n", at++, line);
  if (!trace.a.empty()) print_out("  A    {:>6}  {}\n", number, trace.a);
  if (!trace.b.empty()) print_out("  B    {:>6}  {}\n", number, trace.b);
  for (const std::string& text : trace.keys) print_out("  {}\n", text);
}

void print(const Comparison& found, bool quiet) {
  for (const auto& [name, trace] : found.traces)
    if (!trace.same()) print(name, trace);
  for (const std::string& text : found.files) print_out("{}\n", text);
  if (quiet) return;
  for (const std::string& name : found.without_events)
    print_out("{}: missing: only runs with \"record\": {{\"trace\": true}} have events to compare\n", name);
  if (!found.same()) {
    for (const auto& [name, trace] : found.traces)
      if (trace.same()) print_out("{}: the same {} events\n", name, trace.common);
  } else if (found.traces.empty()) {
    print_out("the same files\n");
  } else {
    print_out("the same: {} events\n", found.events());
  }
}

/// Common lines were not looked at: one that is no JSON is shown as a text.
Json event_or_null(const std::string& line) {
  if (line.empty()) return nullptr;
  Json event = try_json(line);
  return event.is_discarded() ? Json(line) : event;
}

Json as_json(const Comparison& found) {
  Json traces = Json::array();
  for (const auto& [name, trace] : found.traces) {
    Json before = Json::array();
    for (const std::string& line : trace.before) before.push_back(event_or_null(line));
    traces.push_back({{"name", name},
                      {"same", trace.same()},
                      {"events_in_common", trace.common},
                      {"before", std::move(before)},
                      {"a", event_or_null(trace.a)},
                      {"b", event_or_null(trace.b)},
                      {"differences", trace.keys},
                      {"events_after_the_end_of_the_other", trace.rest}});
  }
  return {{"same", found.same()},
          {"traces", std::move(traces)},
          {"files", found.files},
          {"missing_traces", found.without_events}};
}

}  // namespace

int diff_command(const std::string& a, const std::string& b, const Console& console) {
  const Comparison found = compare(a, b);
  if (console.json)
    print_text(indented(as_json(found)));
  else
    print(found, console.quiet);
  return found.same() ? 0 : 1;
}

}  // namespace lagnet::tools
