#include "tools/cli/results/map_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <boost/algorithm/string/split.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "scenarios/compare/tables/result_table.hpp"
#include "scenarios/compare/tables/run_values.hpp"
#include "scenarios/compare/tables/verdict.hpp"
#include "scenarios/files/text.hpp"
#include "scenarios/sweep/parallel_points.hpp"
#include "scenarios/times/winner_map.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/terminal.hpp"

namespace lagnet::tools {

namespace {

constexpr std::int64_t usual_cells = 40, most_cells = 200;  // along an axis

[[noreturn]] void refuse_axis(const std::string& typed, const std::string& found) {
  throw InputError(
      fmt::format("compare: --map {}: expected KEY=LOW..HIGH, KEY=LOW..HIGH:CELLS or KEY=A,B,C, numbers ascending, for "
                  "instance network.latency_ms=1..1000:40; found {}",
                  typed, found));
}

double number_of_axis(const std::string& typed, std::string_view word) {
  double value = 0;
  if (const char* expected = parse_real(trimmed(word), value))
    refuse_axis(typed, fmt::format("\"{}\" in place of {}", word, expected));
  return value;
}

/// Values at equal distances, in their logarithms where both ends are above 0; to four digits, as one types them.
std::vector<double> spread(double low, double high, std::int64_t count) {
  std::vector<double> values;
  for (std::int64_t k = 0; k < count; ++k) {
    const double part = static_cast<double>(k) / static_cast<double>(count - 1);
    const double value = low > 0 ? low * std::pow(high / low, part) : low + (high - low) * part;
    values.push_back(std::stod(fmt::format("{:.4g}", value)));
  }
  return values;
}

MapAxis axis_of(const std::string& typed) {
  const std::size_t equals = typed.find('=');
  if (equals == 0 || equals == std::string::npos) refuse_axis(typed, "no key with values");
  MapAxis axis{.pointer = typed.substr(0, equals), .values = {}};
  if (axis.pointer.front() != '/') axis.pointer = "/" + boost::replace_all_copy(axis.pointer, ".", "/");
  const std::string range = typed.substr(equals + 1);
  if (const std::size_t dots = range.find(".."); dots != std::string::npos) {
    const std::size_t colon = range.find(':', dots);
    const double low = number_of_axis(typed, range.substr(0, dots));
    const double high = number_of_axis(typed, range.substr(dots + 2, colon - (dots + 2)));
    std::int64_t cells = usual_cells;
    if (colon != std::string::npos && parse_integer(trimmed(range.substr(colon + 1)), cells))
      refuse_axis(typed, fmt::format("\"{}\" in place of a number of cells", range.substr(colon + 1)));
    if (cells < 2 || cells > most_cells)
      refuse_axis(typed, fmt::format("{} cells, where 2 to {} are", cells, most_cells));
    if (!(low < high) || low < 0) refuse_axis(typed, fmt::format("{} to {}", low, high));
    axis.values = spread(low, high, cells);
  } else {
    std::vector<std::string> words;
    boost::split(words, range, boost::is_any_of(","));
    for (const std::string& word : words) axis.values.push_back(number_of_axis(typed, word));
  }
  if (std::ranges::adjacent_find(axis.values, std::greater_equal()) != axis.values.end())
    refuse_axis(typed, "values that do not ascend");
  return axis;
}

/// The series of a cell from the first to the last.
std::vector<std::size_t> order_of(const std::vector<double>& seconds) {
  std::vector<std::size_t> order(seconds.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return seconds[k]; });
  return order;
}

/// The series that is first in a cell: nobody where none gets there, and where the next one is less than 1 % behind, or
/// may have been there before it, between two rows.
std::optional<std::size_t> winner_of(const WinnerMap& map, std::size_t cell) {
  const std::vector<double>&seconds = map.seconds[cell], &before = map.before[cell];
  const std::vector<std::size_t> order = order_of(seconds);
  const double first = seconds[order[0]];
  if (!std::isfinite(first)) return std::nullopt;
  for (const std::size_t other : order)
    if (other != order[0] && (seconds[other] <= least_lead * first || before[other] < first)) return std::nullopt;
  return order[0];
}

/// A row for each cell.
ResultTable cells_of(const WinnerMap& map) {
  const std::string across = map.across.pointer.substr(1), down = map.down.pointer.substr(1);
  ResultTable table{.name = "map",
                    .title = {},
                    .columns = {across, down, "first", "simulated_s", "next", "ratio"},
                    .rows = {},
                    .keys = 2};
  for (const std::string& name : map.series) table.columns.emplace_back(name);
  const auto finite = [](double x) { return std::isfinite(x) ? ResultCell(x) : ResultCell(); };
  for (std::size_t row = 0; row < map.down.values.size(); ++row)
    for (std::size_t column = 0; column < map.across.values.size(); ++column) {
      const std::vector<double>& seconds = map.at(column, row);
      const std::vector<std::size_t> order = order_of(seconds);
      const auto winner = winner_of(map, row * map.across.values.size() + column);
      const double first = seconds[order[0]], next = order.size() > 1 ? seconds[order[1]] : INFINITY;
      std::vector<ResultCell> cells{map.across.values[column],
                                    map.down.values[row],
                                    winner ? ResultCell(map.series[*winner]) : ResultCell(),
                                    finite(first),
                                    std::isfinite(next) ? ResultCell(map.series[order[1]]) : ResultCell(),
                                    finite(first > 0 ? next / first : INFINITY)};
      for (const double one : seconds) cells.push_back(finite(one));
      table.rows.push_back(std::move(cells));
    }
  return table;
}

/// A letter for the winner of each cell, "=" where nobody is first of those that get there, the largest value of the
/// second key on top.
std::string drawn(const WinnerMap& map, double to, const std::string& metric) {
  std::vector<std::size_t> wins(map.series.size());
  std::size_t ties = 0;
  const auto letter = [&](std::size_t cell) {
    const auto winner = winner_of(map, cell);
    if (winner) {
      ++wins[*winner];
      return *winner < 26 ? static_cast<char>('A' + *winner) : '#';
    }
    const bool is_reached = std::isfinite(std::ranges::min(map.seconds[cell]));
    ties += is_reached ? 1 : 0;
    return is_reached ? '=' : '.';
  };
  std::string text = fmt::format("first to {} {:g}, over {} (across, {:g} .. {:g}) and {} (down)\n\n", metric, to,
                                 map.across.pointer.substr(1), map.across.values.front(), map.across.values.back(),
                                 map.down.pointer.substr(1));
  for (std::size_t row = map.down.values.size(); row-- > 0;) {
    text += fmt::format("{:>10.4g}  ", map.down.values[row]);
    for (std::size_t column = 0; column < map.across.values.size(); ++column)
      text += letter(row * map.across.values.size() + column);
    text += '\n';
  }
  text += '\n';
  for (std::size_t k = 0; k < map.series.size(); ++k) {
    text += fmt::format("  {}  {}: first in {} of {} cells\n", k < 26 ? static_cast<char>('A' + k) : '#', map.series[k],
                        wins[k], map.seconds.size());
  }
  if (ties > 0) text += fmt::format("  =  nobody: within 1 %, or within a row, in {} cells\n", ties);
  return text;
}

}  // namespace

int map_command(const MapRequest& request, const Console& console) {
  const MapAxis across = axis_of(request.axes[0]), down = axis_of(request.axes[1]);
  if (across.pointer == down.pointer)
    throw InputError(fmt::format("compare: --map: expected two keys, found {} twice", across.pointer));
  if (request.to.size() != 1)
    throw InputError(fmt::format("compare: --map: expected one level with --to, found {}", request.to.size()));
  if (request.format == "latex") throw InputError("compare: --map: expected --format text, csv or json, found latex");
  const std::string metric = request.metric.empty() ? "relative_error" : request.metric;
  const RecordedRuns recorded = read_runs_where({request.folders.begin(), request.folders.end()}, request.where);
  const bool tells = !console.quiet && is_terminal(STDERR_FILENO);
  const WinnerMap map = winner_map(recorded.runs, across, down, metric, request.to.front(), request.rising,
                                   usual_jobs(1), [&](std::size_t rows) {
                                     if (tells) print_err("\r{} of {} rows", rows, down.values.size());
                                   });
  if (tells) print_err("\r{:40}\r", "");
  const std::string format = console.json ? "json" : request.format;
  const std::string text = format == "json"  ? indented(as_json(cells_of(map)))
                           : format == "csv" ? as_csv(cells_of(map))
                                             : drawn(map, request.to.front(), metric);
  if (!request.out.path.empty())
    write_output(request.out, text);
  else if (!console.quiet || console.json)
    print_text(text);
  return 0;
}

}  // namespace lagnet::tools
