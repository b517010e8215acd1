#include "scenarios/compare/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <fstream>
#include <map>
#include <set>
#include <utility>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/json_file.hpp"
#include "sim/base/input_file.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

// Files

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  return boost::split(cells, line, boost::is_any_of(","));
}

/// Around the place where two lines part, at most 60 bytes of one of them.
std::string excerpt(const std::string& line, std::size_t parting) {
  constexpr std::size_t before = 20, longest = 60;
  const std::size_t start = line.size() <= longest || parting <= before ? 0 : parting - before;
  std::string text = start > 0 ? "..." : "";
  for (const char c : line.substr(start, longest)) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return start + longest < line.size() ? text + "..." : text;
}

Difference texts_differ(Difference found, const std::string& a, const std::string& b) {
  const auto [end_a, end_b] = std::ranges::mismatch(a, b);
  const auto parting = static_cast<std::size_t>(end_a - a.begin());
  found.expected = excerpt(a, parting);
  found.found = excerpt(b, parting);
  return found;
}

/// How one line differs; in a CSV file by the name of the column.
Difference line_difference(const std::string& header, const std::string& a, const std::string& b) {
  const auto names = cells_of(header), cells_a = cells_of(a), cells_b = cells_of(b);
  if (!header.empty() && header != b && cells_a.size() == cells_b.size() && cells_b.size() == names.size())
    for (std::size_t k = 0; k < names.size(); ++k)
      if (cells_a[k] != cells_b[k]) return texts_differ({.code = "cell", .where = names[k]}, cells_a[k], cells_b[k]);
  return texts_differ({.code = "line"}, a, b);
}

/// The texts of differences by their codes. `{problem}` is what Diagnostic makes of where, expected and found.
const std::map<std::string_view, const char*> text_of_code{
    // of goldens
    {"no_golden", "{name} is missing: `lagnet check {folder} --update` writes it"},
    {"no_scenario", "expected the scenario {name} of its golden, found none"},
    {"no_runs", "runs: not a list"},
    {"run_count", "runs: {problem}"},
    {"row_count", "rows: {problem}"},
    {"value", "{problem}"},
    {"gone", "{where}: gone"},
    {"new", "{where}: not in the golden"},
    {"column",
     "{where}: {differing} of {rows} rows differ, first row {row} (round {round}): expected {expected}, found "
     "{found}"},
    // of folders
    {"damaged", "{file}: {problem}"},
    {"input", "{file}: {problem}"},
    {"refused", "{file}: cannot be run: {found}"},
    {"no_error", "{file}: the point ended with an error, but not in the new run"},
    {"missing", "{file}: missing"},
    {"cell", "{file}:{line}: {where} is `{expected}`, and `{found}` {in_other}"},
    {"line", "{file}:{line}: is `{expected}`, and `{found}` {in_other}"},
    {"shorter", "{file}:{line}: ends here, and goes on {in_other}"},
    {"longer", "{file}:{line}: goes on, and ends here {in_other}"},
    {"line_break", "{file}:{line}: the line breaks at the end differ"},
};

// Traces

/// The lines of a trace, with what is needed to point at one.
class Events {
 public:
  explicit Events(fs::path path) : path_(std::move(path)), file_(open_regular_file(path_)) {
    if (!file_.is_open()) throw OutputError(fmt::format("{}: cannot be read", path_.string()));
  }

  /// False at the end.
  bool next() {
    line.clear();
    if (!std::getline(file_, line)) return false;
    ++number_;
    if (number_ == 1) event();
    return true;
  }
  /// The line as an event.
  Json event() const {
    Json event = try_json(line);
    if (!event.is_object() || !event.contains("time_ns") || !event.contains("event"))
      throw OutputError(fmt::format("{}:{}: expected an event of a trace (trace.jsonl), found `{}`", path_.string(),
                                    number_, excerpt(line, 0)));
    return event;
  }

  std::string line;

 private:
  fs::path path_;
  std::ifstream file_;
  std::int64_t number_ = 0;
};

/// Keys in the order in which the traces have them, those that only B has last.
std::vector<std::string> key_differences(const Json& a, const Json& b) {
  std::vector<std::string> texts;
  for (const auto& [key, value] : a.items()) {
    if (const auto other = b.find(key); other == b.end())
      texts.push_back(fmt::format("{} is {}, and missing in B", key, shown(value)));
    else if (*other != value)
      texts.push_back(fmt::format("{} is {}, and {} in B", key, shown(value), shown(*other)));
  }
  for (const auto& [key, value] : b.items())
    if (!a.contains(key)) texts.push_back(fmt::format("{} is missing, and {} in B", key, shown(value)));
  if (texts.empty()) texts.emplace_back("the same values are written in another way in B");
  return texts;
}

}  // namespace

std::string sentence(const Difference& difference, std::string_view in_other) {
  const Difference& d = difference;
  const fs::path file(d.file);
  return (d.comparison.empty() ? "" : d.comparison + ": ") + (d.point.empty() ? "" : "point " + d.point + ": ") +
         fmt::format(fmt::runtime(text_of_code.at(d.code)), fmt::arg("name", file.filename().string()),
                     fmt::arg("folder", file.parent_path().string()), fmt::arg("file", d.file),
                     fmt::arg("line", d.line), fmt::arg("where", d.where), fmt::arg("rows", d.rows),
                     fmt::arg("differing", d.differing), fmt::arg("row", d.row), fmt::arg("round", d.round),
                     fmt::arg("expected", d.expected), fmt::arg("found", d.found), fmt::arg("in_other", in_other),
                     fmt::arg("problem", sentence(Diagnostic{d.where, d.expected, d.found})));
}

Json parts_of(const Difference& difference) {
  const Difference& d = difference;
  Json parts{{"code", d.code}};
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) parts[name] = text;
  };
  add("comparison", d.comparison);
  add("point", d.point);
  add("file", d.file);
  if (d.line > 0) parts["line"] = d.line;
  add("where", d.where);
  if (d.rows > 0) parts.update({{"rows", d.rows}, {"differing", d.differing}, {"row", d.row}, {"round", d.round}});
  add("expected", d.expected);
  add("found", d.found);
  return parts;
}

std::optional<Difference> file_difference(const fs::path& a, const fs::path& b, const fs::path& name) {
  const auto at = [&](std::int64_t line, Difference found) {
    found.file = name.string();
    found.line = line;
    return found;
  };
  std::ifstream file_a = open_regular_file(a), file_b = open_regular_file(b);
  std::string header, line_a, line_b;
  for (std::int64_t number = 1;; ++number) {
    const bool more_a = static_cast<bool>(std::getline(file_a, line_a));
    const bool more_b = static_cast<bool>(std::getline(file_b, line_b));
    if (!more_a && !more_b) return std::nullopt;
    if (number == 1 && a.extension() == ".csv") header = line_b;
    if (!more_a) return at(number, {.code = "shorter"});
    if (!more_b) return at(number, {.code = "longer"});
    if (line_a != line_b) return at(number, line_difference(header, line_a, line_b));
    if (file_a.eof() != file_b.eof()) return at(number, {.code = "line_break"});
  }
}

std::vector<fs::path> files_in_order(const std::vector<fs::path>& folders) {
  std::set<fs::path> found;
  for (const fs::path& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && entry.path().filename() != "build.txt")
        found.insert(entry.path().lexically_relative(folder));
  std::vector<fs::path> names(found.begin(), found.end());
  const auto rank = [](const fs::path& name) {
    const std::string file = name.filename().string();
    const bool is_digest = file == "summary.json" || file == "sweep.csv" || file == "sweep.json";
    return file == "scenario.json" ? 0 : file == "progress.csv" ? 1 : is_digest ? 3 : 2;
  };
  std::ranges::stable_sort(names, {}, rank);
  return names;
}

TraceDifference trace_difference(const fs::path& a, const fs::path& b) {
  constexpr std::int64_t shown_before = 5;
  Events events_a(a), events_b(b);
  TraceDifference difference;
  std::vector<std::string>& before = difference.before;  // a ring until the end
  bool more_a = events_a.next(), more_b = events_b.next();
  for (; more_a && more_b && events_a.line == events_b.line; more_a = events_a.next(), more_b = events_b.next()) {
    if (difference.common < shown_before) before.emplace_back();
    std::swap(before[static_cast<std::size_t>(difference.common % shown_before)], events_a.line);
    ++difference.common;
  }
  if (difference.common > shown_before) std::ranges::rotate(before, before.begin() + difference.common % shown_before);

  Json event_a, event_b;
  if (more_a) event_a = events_a.event();
  if (more_b) event_b = events_b.event();
  difference.a = events_a.line;
  difference.b = events_b.line;
  if (more_a && more_b) {
    difference.keys = key_differences(event_a, event_b);
  } else if (!more_a && !more_b) {
    before.clear();
  } else {
    Events& longer = more_a ? events_a : events_b;
    do ++difference.rest;
    while (longer.next());
  }
  return difference;
}

}  // namespace lagnet
