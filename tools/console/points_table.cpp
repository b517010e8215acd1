#include "tools/console/points_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "scenarios/format/series_names.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/run/outcome.hpp"
#include "scenarios/words/layout.hpp"

namespace lagnet::tools {

namespace {

/// The last name of a pointer, or all of them with dots if another pointer ends alike.
std::string short_name(const std::string& pointer, const std::vector<std::string>& pointers) {
  const auto last_name = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  const auto ends_alike = [&](const std::string& other) { return last_name(other) == last_name(pointer); };
  if (std::ranges::count_if(pointers, ends_alike) == 1) return last_name(pointer);
  std::string name = pointer.substr(1);
  std::ranges::replace(name, '/', '.');
  return name;
}

/// A value as one says it: star; extra step=0.5.
std::string described(const Json& value) {
  if (!value.is_object()) return value_text(value);
  std::string text;
  for (const auto& [key, member] : value.items()) {
    const bool is_name = key == "kind" || key == "source";
    text += (text.empty() ? "" : " ") + (is_name ? "" : key + "=") + described(member);
  }
  return text;
}

/// Why a run ended that was asked for no tolerance, or could not have one.
std::string limit_text(const std::string& reason) {
  if (reason == spelled(StopReason::gone)) return "agents gone";
  if (reason == spelled(StopReason::metric)) return "reached";
  if (reason == spelled(StopReason::simulated_s)) return "max time";
  if (reason == spelled(StopReason::end_of_time)) return "end of time";
  return "max " + reason.substr(0, reason.find('_'));
}

/// Makes columns narrower by `excess` together, or as narrow as they can be: first those whose name is longer than
/// their values, then the widest.
void narrow(std::span<std::size_t> widths, const std::vector<std::size_t>& needed, std::size_t excess) {
  constexpr std::size_t least = 4;
  for (; excess > 0; --excess) {
    std::size_t* widest = nullptr;
    for (const bool only_by_name : {true, false})
      for (std::size_t k = 0; k < widths.size(); ++k) {
        const std::size_t floor = only_by_name ? std::max(least, needed[k]) : least;
        if (widths[k] > floor && (!widest || (!only_by_name && widths[k] > *widest))) widest = &widths[k];
      }
    if (!widest) return;
    --*widest;
  }
}

}  // namespace

PointResult result_of(const Json& summary, const std::optional<double>& wanted) {
  if (summary.is_null())
    return {.outcome = "error", .ink = Ink::red, .rounds = "", .simulated_s = "", .relative_error = ""};
  const Json& stop = summary["stop"];
  const Document document(summary);
  const auto error = document.number("/last_row/relative_error"), objective = document.number("/last_row/objective"),
             start = document.number("/objective_start");
  PointResult result{.outcome = stop["reason"].get<std::string>(),
                     .ink = Ink::plain,
                     .rounds = fmt::format("{}", stop["round"].get<std::int64_t>()),
                     .simulated_s = fmt::format("{:.5g}", stop["simulated_s"].get<double>()),
                     .relative_error = error ? fmt::format("{:.2e}", *error) : ""};
  if (summary["status"] != "done") {
    result.outcome = summary["status"].get<std::string>();
    result.ink = Ink::red;
  } else if (objective && start && *objective > *start) {
    result.outcome = "got worse";
    result.ink = Ink::red;
  } else if (wanted && error) {
    const bool is_reached = *error <= *wanted;
    result.outcome = is_reached ? "reached" : "not reached";
    result.is_missed = !is_reached;
    result.ink = is_reached ? Ink::green : Ink::yellow;
  } else {
    result.outcome = limit_text(result.outcome);
  }
  return result;
}

std::vector<Settings> told_values(const std::vector<SweepPoint>& points) {
  std::vector<Settings> values;
  for (const SweepPoint& point : points) values.push_back(point.values);
  std::vector<std::string> labels;
  for (const SweepPoint& point : points) labels.push_back(label_of(point.file.document));
  if (std::ranges::find(labels, "") != labels.end()) return values;
  const auto value_at = [&](std::size_t point, const std::string& pointer) {
    const auto found = std::ranges::find(points[point].values, pointer, &Settings::value_type::first);
    return found == points[point].values.end() ? Json() : found->second;
  };
  std::map<std::string, bool> is_decided;  // by pointer
  for (const SweepPoint& point : points)
    for (const auto& [pointer, value] : point.values) is_decided[pointer] = true;
  for (auto& [pointer, decided] : is_decided) {
    std::map<std::string, Json> of_labels;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Json value = value_at(i, pointer);
      decided = decided && of_labels.try_emplace(labels[i], value).first->second == value;
    }
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::erase_if(values[i], [&](const auto& value) { return is_decided[value.first]; });
    values[i].emplace(values[i].begin(), label_pointer, labels[i]);
  }
  return values;
}

PointsTable::PointsTable(const std::vector<SweepPoint>& points, std::size_t columns, bool is_colored)
    : columns_(columns), is_colored_(is_colored) {
  const std::vector<Settings> values = told_values(points);
  std::vector<std::string> pointers;  // those of all points, whose keys may differ
  for (const Settings& point : values)
    for (const auto& [pointer, value] : point)
      if (std::ranges::find(pointers, pointer) == pointers.end()) pointers.push_back(pointer);
  for (const std::string& pointer : pointers) keys_.push_back(short_name(pointer, pointers));
  for (const Settings& point : values) {
    std::vector<std::string>& cells = cells_.emplace_back(keys_.size());
    for (const auto& [pointer, value] : point)
      cells[static_cast<std::size_t>(std::ranges::find(pointers, pointer) - pointers.begin())] = described(value);
  }
  const std::vector<std::size_t> needed = widths_of(cells_);  // by the values
  widths_ = {std::max<std::size_t>(3, std::to_string(points.size()).size())};
  for (std::size_t k = 0; k < keys_.size(); ++k) widths_.push_back(std::max(needed[k], columns_of(keys_[k])));
  widths_.insert(widths_.end(), {11, 7, 9, 9});  // of outcome, rounds, time and error
  if (const std::size_t all = width_of(widths_); all > columns)
    narrow(std::span(widths_).subspan(1, keys_.size()), needed, all - columns);
}

std::string PointsTable::text(const std::string& run, const std::vector<std::string>& values,
                              const std::vector<std::string>& results) const {
  std::vector<std::string> cells{run};
  for (std::size_t k = 0; k < values.size(); ++k) cells.push_back(cut(values[k], widths_[k + 1]));
  cells.insert(cells.end(), results.begin(), results.end());
  std::vector<bool> is_left(values.size() + 2, true);  // the values and the outcome
  is_left.front() = false;
  return table_line(cells, widths_, is_left);
}

std::string PointsTable::header() const {
  return inked(cut(text("run", keys_, {"outcome", "rounds", "time (s)", "error"}), columns_), Ink::bold, is_colored_) +
         "\n";
}

std::string PointsTable::line(std::size_t point, const PointResult& result) const {
  const std::string& outcome = result.outcome;
  const std::string whole = text(fmt::format("{}", point + 1), cells_[point],
                                 {outcome, result.rounds, result.simulated_s, result.relative_error});
  const std::string shown = cut(whole, columns_) + "\n";
  const std::size_t at = whole.rfind(outcome);
  if (shown.find(outcome, at) != at) return shown;
  return shown.substr(0, at) + inked(outcome, result.ink, is_colored_) + shown.substr(at + outcome.size());
}

}  // namespace lagnet::tools
