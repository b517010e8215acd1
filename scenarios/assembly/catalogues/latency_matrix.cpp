#include "scenarios/assembly/catalogues/latency_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "scenarios/assembly/make_sites.hpp"
#include "scenarios/files/compressed.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/text.hpp"
#include "scenarios/format/kinds/latency_kinds.hpp"

namespace lagnet {

namespace {

class LatencyMatrixReader {
 public:
  explicit LatencyMatrixReader(const std::string& file) : diagnostics_(file) {}

  LatencyMatrix read(std::string_view text) {
    CsvRecords records(text, ',', diagnostics_);
    std::vector<std::string> fields;
    if (records.next(fields)) read_header(records.line(), fields);
    // A latency takes two characters at least: so a short file cannot make us allocate a large matrix. If only few
    // lines are missing, the error names them.
    if (const std::size_t sites = matrix_.sites.size(); sites > 1000 && sites > text.size() / (2 * sites))
      diagnostics_.add(0, fmt::format("{} lines of {} latencies, as the header names sites", sites, sites),
                       fmt::format("{} bytes in all", text.size()));
    if (matrix_.sites.empty()) diagnostics_.add(0, "a header of site names", "none");
    diagnostics_.throw_if_any();
    matrix_.ms.assign(matrix_.sites.size() * matrix_.sites.size(), 0);
    while (records.next(fields)) read_record(records.line(), fields);
    for (std::size_t site = 0; site < matrix_.sites.size(); ++site)
      if (!seen_[site]) diagnostics_.add(0, fmt::format("a line of site {}", shown_token(matrix_.sites[site])), "none");
    diagnostics_.throw_if_any();
    return std::move(matrix_);
  }

 private:
  /// The unit of a name, its last part: "s" of latency_s, "us" of rtt(us).
  static std::string unit_of(const std::string& corner) {
    std::string word;
    for (auto letter = corner.rbegin(); letter != corner.rend(); ++letter) {
      if (*letter == ')' || *letter == ']') continue;
      if (!std::isalpha(static_cast<unsigned char>(*letter)) && static_cast<unsigned char>(*letter) < 0x80) return word;
      word.insert(word.begin(), static_cast<char>(std::tolower(static_cast<unsigned char>(*letter))));
    }
    return "";  // one word without a unit
  }

  void read_corner(Index line, const std::string& field) {
    matrix_.corner = trimmed(field);
    std::string word = matrix_.corner;
    for (char& letter : word) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    if (word == "one_way_ms" || word == "latency_ms") matrix_.round_trip = false;
    if (word == "round_trip_ms" || word == "rtt_ms") matrix_.round_trip = true;
    static const std::set<std::string> others{"s",  "sec",     "seconds", "us",      "\xc2\xb5s",
                                              "ns", "minutes", "min",     "seconds", "second"};
    if (others.contains(unit_of(word)))
      diagnostics_.add(line, "latencies in ms: one_way_ms, latency_ms, round_trip_ms or rtt_ms as the first field",
                       shown_token(matrix_.corner));
  }

  void read_header(Index line, const std::vector<std::string>& fields) {
    read_corner(line, fields[0]);
    for (std::size_t k = 1; k < fields.size(); ++k) {
      const std::string name(trimmed(fields[k]));
      if (name.empty()) diagnostics_.add(line, fmt::format("the name of a site in column {}", k + 1), "nothing");
      if (!matrix_.place.emplace(name, matrix_.sites.size()).second)
        diagnostics_.add(line, "each site once in the header", shown_token(name));
      matrix_.sites.push_back(name);
    }
    seen_.assign(matrix_.sites.size(), false);
  }

  void read_record(Index line, const std::vector<std::string>& fields) {
    const std::size_t sites = matrix_.sites.size();
    const std::string name(trimmed(fields[0]));
    const auto found = matrix_.place.find(name);
    if (found == matrix_.place.end()) return diagnostics_.add(line, "a site of the header", shown_token(name));
    const std::size_t site = found->second;
    if (seen_[site]) diagnostics_.add(line, "one line of each site", fmt::format("another of {}", shown_token(name)));
    seen_[site] = true;
    if (fields.size() != sites + 1)
      return diagnostics_.add(line, fmt::format("a name and {} latencies", sites),
                              fmt::format("{} fields", fields.size()));
    for (std::size_t to = 0; to < sites; ++to) {
      double& ms = matrix_.ms[site * sites + to];
      const std::string_view field = trimmed(fields[to + 1]);
      if (parse_real(field, ms) || !(ms >= 0 && ms <= longest_latency_ms))
        diagnostics_.add(line, fmt::format("a latency from 0 to {} ms in column {}", longest_latency_ms, to + 2),
                         shown_token(field));
    }
  }

  DataDiagnostics diagnostics_;
  LatencyMatrix matrix_;
  std::vector<bool> seen_;  // which sites have had their line
};

}  // namespace

LatencyMatrix read_latency_matrix(const std::filesystem::path& path) {
  return LatencyMatrixReader(path.generic_string()).read(read_data_text(path));
}

LatencyMatrix read_latency_matrix(const LatencyMatrixOptions& options) {
  if (options.path) return read_latency_matrix(*options.path);
  return LatencyMatrixReader(options.shown()).read(fmt::format("{}\n", fmt::join(*options.lines, "\n")));
}

std::vector<std::string> sites_of_agents(const NetworkOptions& options, std::int64_t agents) {
  const auto* matrix = options.latency_ms.options_as<LatencyMatrixOptions>();
  if (matrix && matrix->agents) return *matrix->agents;
  Diagnostics diagnostics("");
  std::vector<std::string> of_agents;
  for (const SiteId site : place_agents(options, static_cast<AgentId>(agents), diagnostics))
    of_agents.push_back(options.sites[site].name);
  diagnostics.throw_if_any();
  if (!of_agents.empty() || !matrix) return of_agents;
  const std::vector<std::string> sites = read_latency_matrix(*matrix).sites;
  for (std::size_t agent = 0; agent < static_cast<std::size_t>(agents); ++agent)
    of_agents.push_back(sites[agent % sites.size()]);
  return of_agents;
}

}  // namespace lagnet
