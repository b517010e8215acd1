#include "scenarios/report/what_if_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "scenarios/assembly/catalogues/latency_matrix.hpp"
#include "scenarios/assembly/experiment_cache.hpp"
#include "scenarios/assembly/make_network.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/results/level_rows.hpp"
#include "scenarios/times/timed_run.hpp"

namespace lagnet {

namespace {

constexpr std::size_t what_if_runs_max = 100, what_if_numbers_max = 120'000;  // of worlds and graphs, in the page
constexpr std::int64_t what_if_steps_max = 200'000'000;  // of all runs: a slider is followed within about a second

/// One number for all if they are the same; null for what is not limited.
template <class Number>
Json one_or_all(const std::vector<Number>& values) {
  const auto as_json = [](Number value) {
    if constexpr (std::is_floating_point_v<Number>)
      return number_or_null(value);
    else
      return Json(value);
  };
  if (!values.empty() && std::ranges::all_of(values, [&](Number value) { return value == values.front(); }))
    return as_json(values.front());
  Json list = Json::array();
  for (const Number value : values) list.push_back(as_json(value));
  return list;
}

/// The latencies between sites: {"ms", "round_trip"}.
Json latencies_between(const std::vector<std::string>& sites, const LatencyMatrixOptions& options,
                       const LatencyMatrix& matrix) {
  Json rows = Json::array();
  for (const std::string& from : sites) {
    Json row = Json::array();
    for (const std::string& to : sites) row.push_back(matrix.at(matrix.place.at(from), matrix.place.at(to)));
    rows.push_back(std::move(row));
  }
  return {{"ms", std::move(rows)}, {"round_trip", matrix.is_round_trip(options.round_trip)}};
}

/// The interfaces that the server would have at each site: [[up, down], ..].
Json interfaces_of_server(const Experiment& experiment) {
  Json interfaces = Json::array();
  NetworkOptions options = experiment.scenario.network;
  for (const Site& site : experiment.costs.sites()) {
    options.server_site = site.name;
    const Network moved = make_network(*experiment.topology, options, experiment.scenario.seed, "");
    const Interface& interface = moved.interface(0);
    interfaces.push_back({number_or_null(interface.up_bytes_per_s), number_or_null(interface.down_bytes_per_s)});
  }
  return interfaces;
}

/// Where the server could be, by network.server_site or in a matrix of latencies: {"names", "of", which is the site of
/// each agent}, "ms" and "round_trip" where latencies follow, and "interfaces" where interfaces do.
Json sites_of(const Experiment& experiment) {
  if (!experiment.traits.server) return nullptr;
  const NetworkOptions& network = experiment.scenario.network;
  const auto* options = network.latency_ms.options_as<LatencyMatrixOptions>();
  std::optional<LatencyMatrix> matrix;
  if (options) matrix = read_latency_matrix(*options);
  Json sites = Json::object(), of = Json::array();
  std::vector<std::string> names;
  if (network.server_site) {
    for (const Site& site : experiment.costs.sites()) names.push_back(site.name);
    for (AgentId id = 0; id < experiment.network->agents(); ++id) of.push_back(experiment.costs.site(id));
    sites["interfaces"] = interfaces_of_server(experiment);
  } else if (matrix && (options->agents || network.sites.empty())) {
    names = matrix->sites;
    for (AgentId id = 0; id < experiment.network->agents(); ++id)
      of.push_back(options->agents ? matrix->place.at((*options->agents)[id]) : id % names.size());
  } else {
    return nullptr;
  }
  if (matrix && !(network.server_site && options->agents)) sites.update(latencies_between(names, *options, *matrix));
  sites.update({{"names", names}, {"of", std::move(of)}});
  return sites;
}

Json world_of(const TimedRun& run) {
  const Network& network = *run.experiment->network;
  Json neighbors = Json::array();
  std::vector<std::int64_t> latencies;
  std::vector<double> rates, up, down, speeds;
  for (AgentId id = 0; id < network.agents(); ++id) {
    neighbors.push_back(network.neighbors(id));
    up.push_back(network.interface(id).up_bytes_per_s);
    down.push_back(network.interface(id).down_bytes_per_s);
  }
  for (LinkId id = 0; id < network.links(); ++id) {
    latencies.push_back(network.link(id).latency.ns());
    rates.push_back(network.bandwidth_bytes_per_s(id));
  }
  // Of constant speeds the first piece is all there is.
  for (AgentId id = 0; id < network.agents(); ++id) speeds.push_back(run.experiment->compute->speed_flops_per_s(id));
  const bool is_fifo = run.experiment->model.sharing == Sharing::fifo;
  Json world{{"neighbors", std::move(neighbors)},
             {"latency_ns", one_or_all(latencies)},
             {"bandwidth_bytes_per_s", one_or_all(rates)},
             {"up_bytes_per_s", one_or_all(up)},
             {"down_bytes_per_s", one_or_all(down)},
             {"speed_flops_per_s", one_or_all(speeds)},
             {"sharing", is_fifo ? "fifo" : "none"},
             {"forwarding", std::string(spelled(run.experiment->model.forwarding))},
             {"send_order", std::string(spelled(run.experiment->model.send_order))}};
  if (Json sites = sites_of(*run.experiment); !sites.is_null()) world["sites"] = std::move(sites);
  return world;
}

/// [kind, link, amount, kind, ..], of each step what its kind has.
Json numbers_of(const Steps& steps) {
  Json numbers = Json::array();
  for (const Step& step : steps) {
    numbers.push_back(static_cast<int>(step.kind));
    if (step.link != no_link) numbers.push_back(step.link);
    const bool has_amount = step.kind <= Step::Kind::broadcast;
    if (has_amount) numbers.push_back(step.amount);
  }
  return numbers;
}

/// The place of a value in a list, where it is added if it is not there.
std::size_t place_in(Json& list, Json value) {
  const auto found = std::ranges::find(list, value);
  const auto place = static_cast<std::size_t>(found - list.begin());
  if (found == list.end()) list.push_back(std::move(value));
  return place;
}

/// Many agents have the same steps: each distinct list is stored once.
Json graph_of(const EventGraph& graph) {
  Json lists = Json::array(), first = Json::array(), every = Json::array(), end = Json::array();
  for (AgentId id = 0; id < graph.agents(); ++id) {
    Json rounds = Json::array();
    for (const Steps& steps : graph.first[id]) rounds.push_back(place_in(lists, numbers_of(steps)));
    first.push_back(std::move(rounds));
    every.push_back(place_in(lists, numbers_of(graph.every[id])));
    const auto& [last, after] = graph.end[id];
    end.push_back({place_in(lists, numbers_of(last)), place_in(lists, numbers_of(after))});
  }
  return {
      {"lists", std::move(lists)}, {"first", std::move(first)}, {"every", std::move(every)}, {"end", std::move(end)}};
}

/// How many numbers it has.
std::size_t size_of(const Json& value) {
  if (!value.is_structured()) return 1;
  return std::accumulate(value.begin(), value.end(), std::size_t{0},
                         [](std::size_t sum, const Json& part) { return sum + size_of(part); });
}

/// The levels for which the comparison has costs.
struct Levels {
  std::string column;
  std::vector<double> to;
};

Levels levels_of(const Json& comparison) {
  if (!comparison.is_object()) return {};
  Levels levels{.column = comparison.value("metric", "relative_error"), .to = {}};
  for (const Json& row : comparison.at("verdict").at("rows"))
    if (const double to = row.at("to").get<double>(); std::ranges::find(levels.to, to) == levels.to.end())
      levels.to.push_back(to);
  return levels;
}

/// [[level, the round of the row from which on it is at or below it], ..], of the levels that the run gets to.
Json reached(const RecordedRun& recorded, const Levels& levels) {
  Json list = Json::array();
  if (!recorded.progress.find(levels.column)) return list;
  const std::vector<double>& rounds = recorded_column(recorded, "round");
  for (const double to : levels.to)
    if (const auto row = level_rows(recorded, levels.column, to).there)
      list.push_back({to, static_cast<Round>(rounds[*row])});
  return list;
}

class WhatIfModel {
 public:
  explicit WhatIfModel(Levels levels) : levels_(std::move(levels)) {}
  void add(const RecordedRun& recorded) {
    if (runs_.size() >= what_if_runs_max)
      return refuse({fmt::format("only the first {} runs of a page have sliders", what_if_runs_max)});
    try {
      const TimedRunOrReasons found = timed_run(recorded, cache_, steps_left_);
      if (!found.run) return refuse(found.reasons);
      add(*found.run, recorded);
    } catch (const std::exception& error) {  // such as data that are not there any more
      refuse({fmt::format("its scenario cannot be assembled here: {}", error.what())});
    }
  }
  Json take() { return {{"worlds", std::move(worlds_)}, {"graphs", std::move(graphs_)}, {"runs", std::move(runs_)}}; }

 private:
  void add(const TimedRun& run, const RecordedRun& recorded) {
    Json world = world_of(run), graph = graph_of(run.graph);
    const auto numbers_for = [](const Json& list, const Json& value) {
      return std::ranges::find(list, value) == list.end() ? size_of(value) : 0;
    };
    if (run.experiment->scenario.network.underlay)
      return refuse({"network.underlay: the page does not know inner links; `lagnet retime` does"});
    const std::size_t more = numbers_for(worlds_, world) + numbers_for(graphs_, graph);
    if (numbers_ + more > what_if_numbers_max)
      return refuse({"the page has no room for its network; `lagnet retime` gives it other times"});
    numbers_ += more;
    const auto last = static_cast<Round>(recorded_column(recorded, "round").back());
    steps_left_ -= static_cast<std::int64_t>(steps_in_round(run.graph, *run.experiment->network)) * last;
    runs_.push_back({{"world", place_in(worlds_, std::move(world))},
                     {"graph", place_in(graphs_, std::move(graph))},
                     {"last", last},
                     {"rounds", run.rounds == no_end ? Json() : Json(run.rounds)},
                     {"reached", reached(recorded, levels_)},
                     {"folder", (recorded.point.empty() ? recorded.folder : recorded.folder.parent_path()).string()}});
  }
  void refuse(const std::vector<std::string>& reasons) { runs_.push_back({{"why_not", reasons}}); }

  const Levels levels_;
  ExperimentCache cache_;
  Json worlds_ = Json::array(), graphs_ = Json::array(), runs_ = Json::array();
  std::size_t numbers_ = 0;
  std::int64_t steps_left_ = what_if_steps_max;
};

}  // namespace

Json what_if_model(const std::vector<RecordedRun>& runs, const Json& comparison) {
  WhatIfModel model(levels_of(comparison));
  for (const RecordedRun& run : runs) model.add(run);
  return model.take();
}

}  // namespace lagnet
