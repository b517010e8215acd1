#include "scenarios/design/underlay.hpp"

#include <fmt/format.h>

#include "topologies/generators/graphml.hpp"
#include "topologies/routes.hpp"

namespace lagnet {

std::string routed_latencies(const std::filesystem::path& underlay) {
  GraphmlOptions options;
  options.path = underlay;
  const Matrix ms = route_lengths(make_topology(options, 1));
  std::string text = "latency_ms";
  for (Index site = 0; site < ms.rows(); ++site) text += fmt::format(",{}", site);
  text += '\n';
  for (Index from = 0; from < ms.rows(); ++from) {
    text += fmt::format("{}", from);
    for (Index to = 0; to < ms.cols(); ++to) text += fmt::format(",{}", ms(from, to));
    text += '\n';
  }
  return text;
}

}  // namespace lagnet
