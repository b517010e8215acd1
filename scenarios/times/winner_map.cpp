#include "scenarios/times/winner_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/format/retimable.hpp"
#include "scenarios/format/series_names.hpp"
#include "scenarios/results/level_rows.hpp"
#include "scenarios/run/run.hpp"
#include "scenarios/times/timed_run.hpp"
#include "sim/machine/workers.hpp"

namespace lagnet {

namespace {

/// Keys that change when steps end, and not what agents send.
constexpr std::array<std::string_view, 4> keys_of_steps{"/network/latency_ms", "/network/bandwidth_bytes_per_s",
                                                        "/network/up_bytes_per_s", "/compute/speed_flops_per_s"};

/// Of all rounds of a run; going through them takes seconds.
constexpr std::int64_t most_steps_of_map = 300'000'000;

bool is_of_steps(const MapAxis& axis) {
  return std::ranges::any_of(keys_of_steps, [&](std::string_view key) { return axis.pointer.starts_with(key); });
}

ScenarioFile with_value(ScenarioFile file, const MapAxis& axis, double value) {
  file.document[Json::json_pointer(axis.pointer)] = value;
  return file;
}

/// Reports values of an axis with which a run would compute something else, or would depend on time.
void check_axis(const ScenarioFile& file, const RecordedRun& run, const MapAxis& axis, Diagnostics& problems) {
  const Json recorded = what_decides_values(read_scenario(scenario_file(run)));
  for (const double value : axis.values) {
    const Scenario scenario = read_scenario(with_value(file, axis, value));
    std::vector<std::string> reasons = why_not_retimable(scenario);
    if (reasons.empty() && what_decides_values(scenario) != recorded)
      reasons.push_back(fmt::format("{}: it decides what is computed; a sweep over it has the runs for a map",
                                    axis.pointer.substr(1)));
    for (const std::string& reason : reasons)
      problems.add(run.folder.string(), "values that do not depend on the keys of the map", reason);
    if (!reasons.empty()) return;
  }
}

/// A run with numbers, and how far it goes.
struct MapSource {
  const RecordedRun* recorded = nullptr;
  std::size_t series = 0;
  std::optional<Round> before = {};  // of the last row short of the level, if rounds without rows follow it
  std::optional<Round> round = {};   // from which on it stays at the level; none if there is no such row
  ScenarioFile file;
  std::shared_ptr<const Experiment> experiment = {};  // up to that round, without numbers
  std::optional<EventGraph> graph = {};

  /// To the level, and to the row before.
  std::pair<double, double> seconds(const ScenarioFile& cell) const {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (!round) return {never, never};
    const ScenarioFile bare = without_numbers(cell, std::max<Round>(*round, 1), experiment->traits.timing_only);
    const Experiment other = in_other_times(experiment, read_scenario(bare), bare.shown);
    if (graph) {
      const auto times = round_times(*graph, {*other.network, *other.compute, other.model.sharing}, *round);
      const auto at = [&](Round of) { return times.at(static_cast<std::size_t>(of)).in_seconds(); };
      return {at(*round), at(before.value_or(*round))};
    }
    const Outcome outcome = run(other);
    const auto at = [&](Round of) {
      const auto row = std::ranges::find(outcome.rows, of, &Row::round);
      return row == outcome.rows.end() ? never : row->at.in_seconds();
    };
    return {at(*round), at(before.value_or(*round))};
  }
};

/// Fills in the rounds of the source's run.
void find_rounds(MapSource& source, const std::string& column, double to, bool rising) {
  const LevelRows rows = level_rows(*source.recorded, column, to, rising);
  if (!rows.there) return;
  const auto round_of = [&](std::size_t row) {
    return static_cast<Round>(recorded_column(*source.recorded, "round")[row]);
  };
  source.round = round_of(*rows.there);
  if (rows.before && round_of(*rows.before) + 1 < *source.round) source.before = round_of(*rows.before);
}

double median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

/// The runs of the map, each once, and the series that they belong to.
struct MapSources {
  std::vector<MapSource> list;
  std::vector<std::string> series;
};

/// Of runs that differ in the keys of the axes, the first one.
MapSources sources_of(const std::vector<RecordedRun>& runs, const MapAxis& across, const MapAxis& down,
                      const std::string& column, double to, bool rising) {
  MapSources found;
  std::vector<Json> met, series;
  Diagnostics problems("compare --map");
  for (const RecordedRun& run : runs) {
    const ScenarioFile as_run{.shown = run.label, .folder = {}, .document = rooted_scenario(run)};
    ScenarioFile file = as_run;
    for (const MapAxis* axis : {&across, &down}) file = with_value(std::move(file), *axis, axis->values.front());
    if (std::ranges::find(met, file.document) != met.end()) continue;
    met.push_back(file.document);
    for (const MapAxis* axis : {&across, &down}) check_axis(as_run, run, *axis, problems);
    const Json identity = circumstances(file.document);
    const auto place = std::ranges::find(series, identity);
    found.list.push_back(
        {.recorded = &run, .series = static_cast<std::size_t>(place - series.begin()), .file = std::move(file)});
    find_rounds(found.list.back(), column, to, rising);
    if (place == series.end()) series.push_back(identity);
  }
  problems.throw_if_any();
  found.series = series_names(series);
  return found;
}

void prepare(MapSource& source, bool by_steps, ExperimentCache& cache) {
  if (!source.round) return;
  const bool timing_only = read_scenario(source.file).algorithm.make().traits.timing_only;
  const ScenarioFile bare = without_numbers(source.file, std::max<Round>(*source.round, 1), timing_only);
  source.experiment = std::make_shared<const Experiment>(assemble(read_scenario(bare), bare.shown, cache));
  if (!by_steps) return;
  TimedRunOrReasons timed = timed_run(*source.recorded, cache, most_steps_of_map);
  if (timed.run) source.graph = std::move(timed.run->graph);
}

}  // namespace

WinnerMap winner_map(const std::vector<RecordedRun>& runs, const MapAxis& across, const MapAxis& down,
                     const std::string& column, double to, bool rising, unsigned jobs,
                     const std::function<void(std::size_t)>& row_done) {
  MapSources sources = sources_of(runs, across, down, column, to, rising);
  ExperimentCache cache;
  for (MapSource& source : sources.list) prepare(source, is_of_steps(across) && is_of_steps(down), cache);
  WinnerMap map{.across = across, .down = down, .series = sources.series, .seconds = {}, .before = {}};
  const std::size_t columns = across.values.size(), cells = columns * down.values.size();
  map.seconds.resize(cells);
  map.before.resize(cells);
  const auto fill = [&](std::size_t cell) {
    std::vector<std::vector<double>> seconds(map.series.size()), before(map.series.size());
    for (const MapSource& source : sources.list) {
      const ScenarioFile file =
          with_value(with_value(source.file, across, across.values[cell % columns]), down, down.values[cell / columns]);
      const auto [there, short_of_it] = source.seconds(file);
      seconds[source.series].push_back(there);
      before[source.series].push_back(short_of_it);
    }
    for (auto& of_series : seconds) map.seconds[cell].push_back(median(std::move(of_series)));
    for (auto& of_series : before) map.before[cell].push_back(median(std::move(of_series)));
  };
  std::exception_ptr error;
  std::mutex telling;
  std::size_t done = 0;
  Workers(std::max(jobs, 1u)).for_each(down.values.size(), [&](std::size_t row) {
    try {
      for (std::size_t column_of = 0; column_of < columns; ++column_of) fill(row * columns + column_of);
      const std::lock_guard lock(telling);
      row_done(++done);
    } catch (...) {
      const std::lock_guard lock(telling);
      if (!error) error = std::current_exception();
    }
  });
  if (error) std::rethrow_exception(error);
  return map;
}

}  // namespace lagnet
