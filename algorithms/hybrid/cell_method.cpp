#include "algorithms/hybrid/cell_method.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

CellMethod::CellMethod(MethodInput given) : given_(std::move(given)), clients_(all_agents(given_.network.agents)) {
  clients_.erase(clients_.begin());
  LAGNET_CHECK(given_.cells && cells().clients() == std::ssize(clients_), "no cells for {} agents",
               given_.network.agents);
}

Evaluation CellMethod::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const Vector& whole = report[server_agent][0];
  return {.iterate = whole, .objective = problem().objective(whole), .metrics = {}};
}

Remarks CellMethod::remarks_on_absent(const std::function<bool(AgentId)>& took_part) const {
  std::vector<AgentId> absent;
  for (const AgentId k : clients_)
    if (cells().of(k).n() > 0 && !took_part(k)) absent.push_back(k);
  if (absent.empty()) return {};
  const std::size_t shown = std::min<std::size_t>(absent.size(), 5);
  const std::string which =
      fmt::format("{}", fmt::join(absent.begin(), absent.begin() + static_cast<Index>(shown), ", "));
  return {
      {"clients_never_took_part",
       {{"clients", absent.size()}},
       fmt::format("{} of {} clients never took part (agents {}{}): the run solves the problem without their samples "
                   "and features",
                   absent.size(), clients_.size(), which, shown < absent.size() ? ", .." : "")}};
}

}  // namespace lagnet
