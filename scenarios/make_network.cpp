#include "scenarios/make_network.hpp"

#include "scenarios/attempt.hpp"
#include "scenarios/drawn.hpp"

namespace lagnet {

void check_network(const NetworkOptions& options, Problems& problems) {
  CheckReport report("/network", problems);
  check_drawn(report, "latency_ms", options.latency_ms, within(0, longest_latency_ms));
  check_drawn(report, "jitter_ms", options.jitter_ms, within(0, longest_latency_ms));
  check_drawn(report, "bandwidth_bytes_per_s", options.bandwidth_bytes_per_s, at_least(1));
}

Network make_network(const Topology& topology, const NetworkOptions& options, std::uint64_t seed,
                     const std::string& shown) {
  Problems problems(shown);
  const std::string place = "/network/latency_ms";
  check_network(options, problems);
  CheckReport report(place, problems);
  LinkLatency latency_ms;
  attempt(problems, place, [&] { latency_ms = options.latency_ms.make(topology, seed, report); });
  problems.throw_if_any();

  std::vector<LinkSpec> links;
  const auto link = [&](AgentId from, AgentId to) -> LinkSpec {
    const double rate = options.bandwidth_bytes_per_s.make(Draws(seed, Purpose{"bandwidth"}, from, to));
    return {from, to, Duration::milliseconds(latency_ms(from, to)), rate};
  };
  for (const Edge& edge : topology.edges()) {  // from < to
    links.push_back(link(edge.from, edge.to));
    LinkSpec back = options.symmetric ? links.back() : link(edge.to, edge.from);
    back.from = edge.to;
    back.to = edge.from;
    links.push_back(back);
  }
  return Network(static_cast<AgentId>(topology.agents()), std::move(links));
}

}  // namespace lagnet
