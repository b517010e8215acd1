#include "scenarios/format/sweep_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/format/series_names.hpp"
#include "scenarios/json/json_file.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

namespace {

constexpr std::int64_t most_drawn = 1'000'000;
constexpr std::size_t most_points = 1'000'000;

/// An axis of the sweep: its alternatives. Every point has one alternative of each axis.
using Axis = std::vector<Settings>;

Axis listed(const std::string& pointer, const Json& values, const std::string& place, Diagnostics& diagnostics) {
  Axis axis;
  if (!values.is_array() || values.empty()) {
    diagnostics.add(place, "a list of one value or more", shown(values));
    return axis;
  }
  for (const Json& value : values) axis.push_back({{pointer, value}});
  return axis;
}

Settings without_seed(Settings point) {
  std::erase_if(point, [](const auto& setting) { return setting.first == "/seed"; });
  return point;
}

/// What has a label, but for the seeds.
using Labelled = std::map<std::string, Settings>;

/// Checks the label of a point, which no other point of the list may have but those that differ in their seeds alone.
void check_label(const Json& label, const Settings& point, Labelled& others, const std::string& place,
                 Diagnostics& diagnostics) {
  if (!label.is_string() || label.get<std::string>().empty()) {
    diagnostics.add(place, "a name for the point", shown(label));
    return;
  }
  const auto [first, is_new] = others.emplace(label.get<std::string>(), without_seed(point));
  if (!is_new && first->second != without_seed(point))
    diagnostics.add(place, "a label that no other point has", shown(label));
}

Axis given_points(const Json& points, const std::string& place, Diagnostics& diagnostics) {
  Axis axis;
  Labelled labelled;
  Settings first;
  if (!points.is_array() || points.empty()) {
    diagnostics.add(place, "a list of one point or more", shown(points));
    return axis;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Json& point = points[i];
    if (!point.is_object() || point.empty()) {
      diagnostics.add(child_pointer(place, std::to_string(i)), "an object of JSON pointers to values", shown(point));
      continue;
    }
    Settings settings, pointers;
    for (const auto& [key, value] : point.items()) {
      const bool is_label = key == "label";
      settings.emplace_back(is_label ? label_pointer : key, value);
      if (!is_label) pointers.emplace_back(key, value);
    }
    if (point.contains("label"))
      check_label(point["label"], settings, labelled, child_pointer(child_pointer(place, std::to_string(i)), "label"),
                  diagnostics);
    axis.push_back(std::move(settings));
    if (i == 0) first = pointers;
    // Columns of tables are those of the first point.
    const auto same_pointer = [](const auto& a, const auto& b) { return a.first == b.first; };
    if (!std::ranges::equal(pointers, first, same_pointer))
      diagnostics.add(child_pointer(place, std::to_string(i)), "the same pointers as in the first point", shown(point));
  }
  return axis;
}

Axis drawn_points(const Json& value, bool is_hypercube, const std::string& place, Diagnostics& diagnostics) {
  DrawnPointsOptions drawn;
  const std::size_t before = diagnostics.list().size();
  read_value(value, drawn, {}, place, diagnostics);
  if (drawn.samples > most_drawn)
    diagnostics.add(child_pointer(place, "samples"), "at most a million", shown(Json(drawn.samples)));
  NamedRanges ranges;
  if (value.is_object() && value.contains("ranges"))
    ranges = read_ranges(drawn.ranges, RangeScale::linear, child_pointer(place, "ranges"), diagnostics);
  if (diagnostics.list().size() > before) return {};
  return draw_points(ranges, static_cast<std::size_t>(drawn.samples), drawn.seed, is_hypercube);
}

/// The pointers that axes set, one axis after the other: none may undo what another one has set.
class PointersInUse {
 public:
  void add(const Axis& axis, const std::string& place, Diagnostics& diagnostics) {
    for (const auto& [pointer, value] : axis.front()) {
      const auto undone = std::ranges::find_if(in_use_, [&, &sets = pointer](const std::string& earlier) {
        return earlier == sets || earlier.starts_with(sets + "/");
      });
      if (undone != in_use_.end())
        diagnostics.add(place, fmt::format("values that leave {} as the sweep has set it before", *undone), pointer);
      in_use_.push_back(pointer);
    }
  }

 private:
  std::vector<std::string> in_use_;
};

/// The points that have each setting of the axis in turn.
std::vector<SweepPoint> extended(const std::vector<SweepPoint>& points, const Axis& axis, const std::string& place,
                                 Diagnostics& diagnostics) {
  std::vector<SweepPoint> longer;
  for (const SweepPoint& point : points)
    for (const Settings& settings : axis) {
      longer.push_back(point);
      for (const auto& [pointer, value] : settings) {
        // A label is kept in the scenario, and tables have a column of their own for it.
        if (pointer != label_pointer) longer.back().values.emplace_back(pointer, value);
        Diagnostics once(diagnostics.file());
        set_member(longer.back().file.document, pointer, value, place, once);
        diagnostics.add_new(once.list());
      }
    }
  return longer;
}

/// What `full` makes of a scenario that can be read must be one, too. It is only run on demand, so a mistake in it
/// would show late.
void check_full_size(const ScenarioFile& file, const SweepPoint& first, Diagnostics& diagnostics) {
  if (!file.document.is_object() || !file.document.contains("full")) return;
  if (!diagnostics_of([&] { read_scenario(first.file); }).empty()) return;
  for (Diagnostic& one : diagnostics_of([&] {
         ScenarioFile full = at_full_size(file);
         full.document.erase("full");
         read_scenario(sweep_points(full).front().file);
       })) {
    if (!one.where.starts_with("/full")) one.where.insert(0, "/full");
    diagnostics.add(std::move(one));
  }
}

/// What is wrong with a scenario beside its sweep, which has mistakes itself. Places whose values these left out are
/// not judged.
std::vector<Diagnostic> diagnostics_beside(const ScenarioFile& file, const std::vector<std::string>& left_out) {
  std::vector<Diagnostic> found = diagnostics_of([&] { read_scenario(file); });
  std::erase_if(found, [&](const Diagnostic& one) {
    return std::ranges::any_of(left_out, [&](std::string place) {
      if (!place.empty() && !place.starts_with('/')) place.insert(0, "/");  // as "topology" was meant
      return (place + "/").starts_with(one.where + "/") || (one.where + "/").starts_with(place + "/");
    });
  });
  return found;
}

}  // namespace

NamedRanges read_ranges(const Json& ranges, RangeScale scale, const std::string& place, Diagnostics& diagnostics) {
  NamedRanges named;
  if (!ranges.is_object() || ranges.empty()) {
    diagnostics.add(place, "an object of JSON pointers to ranges", shown(ranges));
    return named;
  }
  for (const auto& [pointer, range] : ranges.items()) {
    named.emplace_back(pointer, RangeOptions{.scale = scale});
    read_value(range, named.back().second, {}, child_pointer(place, pointer), diagnostics);
  }
  return named;
}

std::vector<Settings> draw_points(const NamedRanges& ranges, std::size_t count, std::uint64_t seed, bool is_hypercube) {
  std::vector<Settings> points(count);
  for (std::size_t j = 0; j < ranges.size(); ++j) {
    Draws draws(seed, Purpose{"sweep"}, static_cast<AgentId>(j));
    std::vector<std::uint32_t> slices;
    if (is_hypercube) slices = draws.permutation(static_cast<std::uint32_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
      double u = draws.uniform();
      if (is_hypercube) u = (slices[i] + u) / static_cast<double>(count);
      points[i].emplace_back(ranges[j].first, ranges[j].second.at(u));
    }
  }
  return points;
}

Json RangeOptions::at(double u) const {
  const auto between = [&](double from, double to) {
    if (scale == RangeScale::linear) return std::isfinite(to - from) ? from + u * (to - from) : (1 - u) * from + u * to;
    return std::isfinite(to / from) ? from * std::pow(to / from, u) : std::pow(from, 1 - u) * std::pow(to, u);
  };
  if (!integer) return Json(std::clamp(between(low, high), low, high));
  const double first = std::ceil(low), last = std::floor(high);
  const double nearest = std::round(between(first - 0.5, last + 0.5));
  return Json(static_cast<std::int64_t>(std::clamp(nearest, first, last)));
}

std::vector<SweepPoint> sweep_points(const ScenarioFile& file) {
  Diagnostics diagnostics(file.shown);
  SweepPoint whole{{}, file};
  Json sweep = Json::object();
  if (whole.file.document.is_object() && whole.file.document.contains("sweep")) {
    sweep = whole.file.document["sweep"];
    whole.file.document.erase("sweep");
  }
  if (!sweep.is_object()) diagnostics.add("/sweep", "an object of JSON pointers to lists", shown(sweep));
  const bool is_tuned = file.document.is_object() && !file.document.value("tune", Json()).is_null();
  if (is_tuned && !sweep.empty())
    diagnostics.add("/sweep", "no sweep beside tune, which would tune each point on its own", shown(sweep));
  diagnostics.throw_if_any();
  if (!sweep.empty()) {
    diagnostics.add_new(diagnostics_of([&] { read_presentation(file); }));
    for (const char* key : presentation_keys) whole.file.document.erase(key);
  }

  std::vector<std::pair<std::string, Axis>> axes;
  std::vector<std::string> left_out;  // pointers whose values are not in the trial; "" where they are not known
  PointersInUse in_use;
  std::vector<SweepPoint> trial{whole};  // with the first values of all axes
  std::size_t count = 1;
  for (const auto& [key, value] : sweep.items()) {
    const std::string place = child_pointer("/sweep", key);
    const bool is_pointer = key != "points" && key != "random" && key != "latin_hypercube";
    Axis axis;
    if (is_pointer)
      axis = listed(key, value, place, diagnostics);
    else if (key == "points")
      axis = given_points(value, place, diagnostics);
    else
      axis = drawn_points(value, key == "latin_hypercube", place, diagnostics);
    const std::size_t before = diagnostics.count();
    if (!axis.empty()) trial = extended(trial, {axis.front()}, place, diagnostics);
    if (axis.empty() || diagnostics.count() > before) left_out.push_back(is_pointer ? key : "");
    if (axis.empty()) continue;
    in_use.add(axis, place, diagnostics);
    count = std::min(count * axis.size(), most_points + 1);
    axes.emplace_back(place, std::move(axis));
  }
  if (count > most_points)
    diagnostics.add("/sweep", fmt::format("at most {} points, all combinations of its values", most_points), "more");
  if (!diagnostics.empty()) diagnostics.add_new(diagnostics_beside(trial.front().file, left_out));
  diagnostics.throw_if_any();
  std::vector<SweepPoint> points{whole};
  for (const auto& [place, axis] : axes) points = extended(points, axis, place, diagnostics);
  check_full_size(file, points.front(), diagnostics);
  diagnostics.throw_if_any();
  return points;
}

}  // namespace lagnet
