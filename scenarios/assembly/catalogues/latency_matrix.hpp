#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lagnet {

/// Latencies between sites, in ms; not symmetric in general.
struct LatencyMatrix {
  std::vector<std::string> sites;
  std::map<std::string, std::size_t> place;  // of a site among them
  std::vector<double> ms;                    // row by row, the row being where a message comes from (sites x sites)

  double at(std::size_t from, std::size_t to) const { return ms[from * sites.size() + to]; }
};

/// From a CSV file. The header has anything in its first field and the sites' names in the others; each further line is
/// a site's name and the latencies from it to the sites of the header. The lines may stand in any order, each site has
/// one, and numbers lie from 0 to 1e9; the diagonal is what messages within a site take. Throws DataError that names
/// each wrong line, and each site without one.
LatencyMatrix read_latency_matrix(const std::filesystem::path& path);

}  // namespace lagnet
