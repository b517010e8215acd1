#include "tools/flags/network_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cctype>
#include <charconv>

#include "scenarios/files/compressed.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/text.hpp"
#include "scenarios/format/profiles.hpp"
#include "scenarios/words/words.hpp"
#include "tools/flags/algorithm_flag.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

Json number_or_text(const std::string& cell) {
  double number = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (error != std::errc() || end != cell.data() + cell.size()) return cell;
  std::int64_t whole = 0;
  const auto [whole_end, none] = std::from_chars(cell.data(), cell.data() + cell.size(), whole);
  return whole_end == end && none == std::errc() ? Json(whole) : Json(number);
}

/// The sites of a CSV file: a header of keys, where "price.internet_per_gb" is a key of the section price, and a line
/// for each site; what is empty is not there. Throws Diagnosed. Which keys there are is known to the scenario's reader.
Json read_sites(const fs::path& file) {
  DataDiagnostics problems(file.string());
  const std::string text = read_data_text(file);
  CsvRecords records(text, ',', problems);
  std::vector<std::string> header, cells;
  if (!records.next(header)) problems.add(0, "a header with name, agents and other keys of a site", "none");
  for (std::string& key : header) boost::trim(key);
  for (const std::string& key : header)
    for (const std::string& other : header)
      if (other.starts_with(key + ".")) problems.add(1, fmt::format("{} or {}", key, other), "both");
  problems.throw_if_any();
  for (const char* needed : {"name", "agents"})
    if (!header.empty() && std::ranges::find(header, needed) == header.end())
      problems.add(1, fmt::format("a column {}", needed), comma_list(header));
  Json sites = Json::array();
  while (records.next(cells)) {
    if (cells.size() != header.size()) {
      problems.add(records.line(), fmt::format("{} fields, as in the header", header.size()),
                   fmt::format("{}", cells.size()));
      continue;
    }
    Json site = Json::object();
    for (std::size_t k = 0; k < cells.size(); ++k) {
      boost::trim(cells[k]);
      if (cells[k].empty()) continue;
      const bool is_text = header[k] == "name" || header[k] == "provider";
      const Json::json_pointer place("/" + boost::replace_all_copy(header[k], ".", "/"));
      site[place] = is_text ? Json(cells[k]) : number_or_text(cells[k]);
      if (header[k] == "agents" && !site[place].is_number_integer())
        problems.add(records.line(), "a whole number of agents", shown_token(cells[k]));
    }
    sites.push_back(std::move(site));
  }
  if (sites.empty()) problems.add(0, "one site or more, a line each", "none");
  problems.throw_if_any();
  return sites;
}

/// A number, a range, or a matrix from a file near the scenario.
Json latency_of(const std::string& text, const fs::path& folder) {
  if (!text.ends_with(".csv")) return number_or_range("--latency", "latency_ms", text);
  if (!fs::is_regular_file(text)) refuse_flag("--latency", "a CSV file", text);
  const std::string near = fs::proximate(text, fs::absolute(folder)).string();
  return {{"kind", "matrix"}, {"path", near.starts_with("../../") ? text : near}};
}

}  // namespace

std::int64_t data_holders(const ScenarioFlags& flags, std::int64_t usual) {
  if (flags.sites.empty()) return flags.agents.value_or(usual);
  std::int64_t all = 0;
  for (const Json& site : read_sites(flags.sites)) all += site.value("agents", std::int64_t{0});
  if (flags.agents && *flags.agents != all)
    refuse_flag("--agents", fmt::format("{}, those of all sites, or nothing", all), fmt::format("{}", *flags.agents));
  return all;
}

Json server_site(const ScenarioFlags& flags) {
  return flags.sites.empty() ? Json() : read_sites(flags.sites)[0].value("name", Json());
}

Json network_section(const ScenarioFlags& flags, double usual_ms, const fs::path& folder) {
  Json network = Json::object();
  if (!flags.profile.empty() && !find_profile(flags.profile))
    refuse_flag("--profile", "one of " + comma_list(names_of_profiles()),
                flags.profile + did_you_mean(flags.profile, names_of_profiles()));
  if (!flags.profile.empty()) network["profile"] = flags.profile;
  if (!flags.latency.empty()) network["latency_ms"] = latency_of(flags.latency, folder);
  if (network.empty()) network["latency_ms"] = usual_ms;
  if (!flags.sites.empty()) network["sites"] = read_sites(flags.sites);
  if (flags.bandwidth.empty()) return network;
  // Bytes or bits need a unit: a plain 10 hardly means 10 B/s.
  const bool has_unit =
      std::ranges::any_of(flags.bandwidth, [](unsigned char c) { return std::isalpha(c) && c != 'e' && c != 'E'; });
  if (!has_unit) refuse_flag("--bandwidth", "a number with a unit, as in 10Mbit or 1.25MB/s", flags.bandwidth);
  const Json rate = number_or_range("--bandwidth", "bytes_per_s", flags.bandwidth);
  network.update({{"up_bytes_per_s", rate}, {"down_bytes_per_s", rate}, {"sharing", "fifo"}});
  return network;
}

}  // namespace lagnet::tools
