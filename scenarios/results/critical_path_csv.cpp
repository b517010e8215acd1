#include "scenarios/results/critical_path_csv.hpp"

#include <algorithm>
#include <map>

#include "scenarios/files/csv_records.hpp"
#include "scenarios/results/resource_names.hpp"

namespace lagnet {

std::string name_on_path(const Experiment& experiment, PathKind kind, std::uint32_t of) {
  if (is_of_agent(kind)) return name_of_agent(experiment, of);
  return name_of_resource(experiment, of);
}

std::string in_sentence(const Experiment& experiment, PathKind kind, std::uint32_t of) {
  const Network& network = *experiment.network;
  const bool is_link = !is_of_agent(kind) && of >= network.over(0) && of < network.inner(0);
  const bool is_of_first = is_of_agent(kind) ? of == 0 : of == network.up(0) || of == network.down(0);
  const bool is_of_server = is_of_first && experiment.traits.server && experiment.topology->notes().names.empty();
  return (is_link || is_of_server ? "the " : "") + name_on_path(experiment, kind, of);
}

double share_on_path(const PathSums& path, Duration time) {
  return path.until == Time() ? 0 : time.in_seconds() / path.until.in_seconds();
}

Json path_part(const Experiment& experiment, const PathSums& path, const PathPieces::Content& part) {
  return {{"what", name_on_path(experiment, part.kind, part.of)},
          {"kind", name(part.kind)},
          {"time_s", part.time.in_seconds()},
          {"share", share_on_path(path, part.time)}};
}

void write_critical_path_csv(const Experiment& experiment, const Outcome& outcome, const TextSink& sink) {
  sink("what,kind,time_s,share\n");
  for (const PathPieces::Content& part : outcome.path->parts)
    sink(csv_line({name_on_path(experiment, part.kind, part.of), std::string(name(part.kind)),
                   Json(part.time.in_seconds()).dump(), Json(share_on_path(*outcome.path, part.time)).dump()}));
}

Json path_facts(const Experiment& experiment, const PathSums& path) {
  std::map<PathKind, Duration> times;
  for (const PathPieces::Content& part : path.parts) times[part.kind] += part.time;
  Json kinds = Json::object(), longest = Json::array();
  for (const auto& [kind, time] : times) kinds[std::string(name(kind))] = share_on_path(path, time);
  constexpr std::size_t most = 10;
  for (std::size_t k = 0; k < std::min(path.parts.size(), most); ++k)
    longest.push_back(path_part(experiment, path, path.parts[k]));
  return {{"until_s", path.until.in_seconds()},
          {"last_to_report", name_of_agent(experiment, path.reporter)},
          {"share_by_kind", std::move(kinds)},
          {"longest", std::move(longest)}};
}

}  // namespace lagnet
