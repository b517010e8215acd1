#pragma once

#include <string>
#include <vector>

#include "scenarios/files/output_file.hpp"
#include "scenarios/results/recorded_runs.hpp"
#include "tools/console/command.hpp"

namespace lagnet::tools {

/// What `lagnet compare --map` is asked for.
struct MapRequest {
  std::vector<std::string> folders;
  std::vector<std::string> axes;   // two, as typed: "network.latency_ms=1..1000:40"
  std::vector<std::string> where;  // "KEY=VALUE": only runs that have all of these
  std::string metric;
  std::vector<double> to;  // one
  bool rising = false;
  std::string format;  // text, csv or json; none: text
  OutputFile out;      // none: stdout
};

/// Who is first to a level over two keys: prints the map, or writes it.
int map_command(const MapRequest& request, const Console& console);

}  // namespace lagnet::tools
