#include "topologies/generators/edge_attributes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>

namespace lagnet {

namespace {

enum class Meaning { weight, latency, bandwidth };

/// An understood name. The factor brings plain numbers to 1, ms or bytes/s; 0: texts with a unit alone.
struct Known {
  std::string_view name;
  Meaning meaning;
  double factor;
  std::string_view unit;  // that plain numbers have
  bool is_assumed = false;
  double share = 1;  // of a text with a unit: a round trip is halved
};
constexpr Known known_names[] = {{"weight", Meaning::weight, 1, ""},
                                 {"latency_ms", Meaning::latency, 1, "ms"},
                                 {"delay_ms", Meaning::latency, 1, "ms"},
                                 {"latency", Meaning::latency, 1, "ms", true},
                                 {"delay", Meaning::latency, 1, "ms", true},
                                 {"latency_s", Meaning::latency, 1000, "s"},
                                 {"rtt_ms", Meaning::latency, 0.5, "ms there and back", false, 0.5},
                                 {"round_trip_ms", Meaning::latency, 0.5, "ms there and back", false, 0.5},
                                 {"bandwidth_bytes_per_s", Meaning::bandwidth, 1, "bytes/s"},
                                 {"linkspeedraw", Meaning::bandwidth, 0.125, "bit/s"},
                                 {"bandwidth_bit_per_s", Meaning::bandwidth, 0.125, "bit/s"},
                                 {"bandwidth_mbit_per_s", Meaning::bandwidth, 125'000, "Mbit/s"},
                                 {"bandwidth", Meaning::bandwidth, 0, "with a unit"},
                                 {"capacity", Meaning::bandwidth, 0, "with a unit"}};

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return lower;
}

const Known* known(std::string_view name) {
  const std::string lower = in_lower_case(name);
  const auto* const found = std::ranges::find(known_names, std::string_view(lower), &Known::name);
  return found == std::end(known_names) ? nullptr : found;
}

/// A number and what follows it, without blanks.
std::optional<std::pair<double, std::string>> number_and_unit(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !std::isfinite(number)) return std::nullopt;
  std::string unit(end, text.data() + text.size());
  std::erase_if(unit, [](char c) { return c == ' ' || c == '\t'; });
  return std::pair(number, unit);
}

std::optional<double> with_unit(std::string_view text, const std::map<std::string, double, std::less<>>& units) {
  const auto parts = number_and_unit(text);
  if (!parts || parts->second.empty()) return std::nullopt;
  const auto unit = units.find(parts->second);
  return unit == units.end() ? std::nullopt : std::optional(parts->first * unit->second);
}

/// "bit", "Kbit", "Gbit/s", "Mbps", "MB/s" and their like in bytes/s: decimal prefixes, and binary ones with an i.
std::map<std::string, double, std::less<>> units_of_bandwidth() {
  std::map<std::string, double, std::less<>> units;
  const std::pair<const char*, double> prefixes[] = {{"", 1},        {"k", 1e3},    {"K", 1e3},   {"M", 1e6},
                                                     {"G", 1e9},     {"T", 1e12},   {"Ki", 1024}, {"Mi", 1048576},
                                                     {"Gi", 0x1p30}, {"Ti", 0x1p40}};
  for (const auto& [prefix, factor] : prefixes) {
    for (const char* bits : {"bit", "bits", "bit/s", "bits/s", "bps", "b/s"})
      units[std::string(prefix) + bits] = factor / 8;
    for (const char* bytes : {"B/s", "Bps", "byte/s", "bytes/s"}) units[std::string(prefix) + bytes] = factor;
  }
  return units;
}

/// One directed edge's ends, or an edge's in ascending order.
std::pair<AgentId, AgentId> ends_of(const Edge& edge, EdgeDirection direction) {
  if (direction == EdgeDirection::both && edge.from > edge.to) return {edge.to, edge.from};
  return {edge.from, edge.to};
}

}  // namespace

Diagnostic why_not_parallel(std::size_t repeated) {
  return {"parallel_edges", "\"merge\", to make one edge of those between the same nodes",
          fmt::format("{} more between nodes that had one", repeated)};
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<double> milliseconds_of(std::string_view text) {
  static const std::map<std::string, double, std::less<>> units{{"ns", 1e-6},
                                                                {"us", 1e-3},
                                                                {"\xc2\xb5s", 1e-3},
                                                                {"ms", 1},
                                                                {"millisecond", 1},
                                                                {"milliseconds", 1},
                                                                {"s", 1e3},
                                                                {"sec", 1e3},
                                                                {"second", 1e3},
                                                                {"seconds", 1e3},
                                                                {"microsecond", 1e-3},
                                                                {"microseconds", 1e-3},
                                                                {"nanosecond", 1e-6},
                                                                {"nanoseconds", 1e-6}};
  return with_unit(text, units);
}

std::optional<double> bytes_per_s_of(std::string_view text) {
  static const auto units = units_of_bandwidth();
  return with_unit(text, units);
}

void EdgeAttributeReader::note(std::vector<std::string>& names, std::string name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
}

auto EdgeAttributeReader::of(std::size_t edge) -> Values& {
  if (edge >= values_.size()) values_.resize(edge + 1);
  return values_[edge];
}

std::optional<std::string> EdgeAttributeReader::take(std::size_t edge, std::string_view name, std::string_view value) {
  const Known* const meant = known(name);
  const auto parts = number_and_unit(value);
  const bool is_plain = parts && parts->second.empty();
  const bool is_of_use = meant && (meant->meaning == Meaning::weight    ? use_.weights
                                   : meant->meaning == Meaning::latency ? use_.latencies
                                                                        : use_.bandwidths);
  if (!is_of_use || (meant->factor == 0 && (is_plain || value.empty()))) {
    skip(name);
    return std::nullopt;
  }
  if (value.empty()) return std::nullopt;
  std::optional<double> number;
  if (is_plain)
    number = parts->first * meant->factor;
  else if (meant->meaning == Meaning::latency)
    number = milliseconds_of(value);
  else if (meant->meaning == Meaning::bandwidth)
    number = bytes_per_s_of(value);
  if (number) *number *= is_plain ? 1 : meant->share;
  const auto wrong = [&](std::string_view expected) { return fmt::format("{} as {}", expected, name); };
  if (meant->meaning == Meaning::weight && !(number && *number > 0)) return "a finite weight above 0";
  if (meant->meaning == Meaning::latency && !(number && *number >= 0 && *number <= longest_latency_ms))
    return wrong("a latency from 0 to 1e9 ms");
  if (meant->meaning == Meaning::bandwidth && !(number && *number >= 1 && std::isfinite(*number)))
    return wrong("a bandwidth of at least 1 byte/s");

  const std::size_t before = read_.size();
  note(read_, std::string(name));
  if (read_.size() > before) units_.emplace_back(meant->unit);
  unit_was_assumed_ = unit_was_assumed_ || (meant->is_assumed && is_plain);
  const auto place = static_cast<std::size_t>(std::ranges::find(read_, name) - read_.begin());
  Values& values = of(edge);
  std::optional<Value>& slot = meant->meaning == Meaning::weight    ? values.weight
                               : meant->meaning == Meaning::latency ? values.latency_ms
                                                                    : values.bandwidth_bytes_per_s;
  if (slot && slot->name != place && slot->number != *number)
    return fmt::format("one {}, that of {}, as {}",
                       meant->meaning == Meaning::latency  ? "latency"
                       : meant->meaning == Meaning::weight ? "weight"
                                                           : "bandwidth",
                       read_[slot->name], name);
  slot = Value{*number, place};
  return std::nullopt;
}

void EdgeAttributeReader::merge(Values& into, const Values& other) {
  const auto add = [](std::optional<Value>& sum, const std::optional<Value>& more) {
    if (sum && more)
      sum->number += more->number;
    else if (more)
      sum = more;
  };
  add(into.weight, other.weight);
  add(into.bandwidth_bytes_per_s, other.bandwidth_bytes_per_s);
  if (other.latency_ms && !(into.latency_ms && into.latency_ms->number <= other.latency_ms->number))
    into.latency_ms = other.latency_ms;
}

LinkNote EdgeAttributeReader::note_of(const Edge& edge, const Values& values) {
  LinkNote link{.from = edge.from, .to = edge.to};
  if (values.latency_ms) link.latency_ms = values.latency_ms->number;
  if (values.bandwidth_bytes_per_s) link.bandwidth_bytes_per_s = values.bandwidth_bytes_per_s->number;
  return link;
}

/// `keeps`: takes the further ones, which then are not merged.
void EdgeAttributeReader::merge_parallel(std::vector<Edge>& edges, EdgeDirection direction, GraphNotes* keeps) {
  std::map<std::pair<AgentId, AgentId>, std::size_t> first;  // of the edges between two nodes, its new place
  values_.resize(edges.size());
  std::size_t kept = 0;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto [place, is_new] = first.emplace(ends_of(edges[k], direction), kept);
    if (!is_new) {
      if (keeps)
        keeps->further.push_back(note_of(edges[k], values_[k]));
      else
        merge(values_[place->second], values_[k]);
      continue;
    }
    edges[kept] = edges[k];
    values_[kept++] = values_[k];
  }
  edges.resize(kept);
  values_.resize(kept);
}

/// Says nothing if all is read, by names with units, of all edges.
std::string EdgeAttributeReader::remark(const std::string& file, std::size_t edges) const {
  std::size_t latencies = 0, bandwidths = 0;
  for (const Values& values : values_) {
    latencies += values.latency_ms ? 1 : 0;
    bandwidths += values.bandwidth_bytes_per_s ? 1 : 0;
  }
  std::string lacking;
  const auto lack = [&](std::size_t count, const char* what, const char* instead) {
    if (count > 0 && count < edges)
      lacking += fmt::format("; {} of {} edges have no {} and take {}", edges - count, edges, what, instead);
  };
  lack(latencies, "latency", "network.latency_ms");
  lack(bandwidths, "bandwidth", "network.bandwidth_bytes_per_s");
  if (not_used_.empty() && lacking.empty() && !unit_was_assumed_) return "";
  std::string text;
  for (std::size_t k = 0; k < read_.size(); ++k) {
    const std::string unit = units_[k].empty() ? "" : fmt::format(" ({})", units_[k]);
    text += fmt::format("{}{}{}", k > 0 ? ", " : "read: ", read_[k], unit);
  }
  for (std::size_t k = 0; k < not_used_.size(); ++k)
    text += fmt::format("{}{}", k > 0 ? ", " : text.empty() ? "not used: " : "; not used: ", not_used_[k]);
  return fmt::format("{}: {}{}", file, text, text.empty() ? lacking.substr(2) : lacking);
}

Topology EdgeAttributeReader::topology(const std::string& file, std::int64_t agents, std::vector<Edge> edges,
                                       EdgeDirection direction, ParallelEdges parallel, GraphNotes notes) && {
  const std::size_t in_file = edges.size();
  if (const std::string read = remark(file, in_file); !read.empty())
    notes.remarks.push_back({"edge_attributes", {}, read});
  const bool is_kept = parallel == ParallelEdges::keep;
  if (parallel != ParallelEdges::refuse) merge_parallel(edges, direction, is_kept ? &notes : nullptr);
  if (edges.size() < in_file && !is_kept)
    notes.remarks.push_back({"edges_merged",
                             {{"edges", in_file}, {"left", edges.size()}},
                             fmt::format("{}: {} edges were merged into {}", file, in_file, edges.size())});
  for (std::size_t k = 0; k < values_.size(); ++k) {
    Edge& edge = edges[k];
    const Values& values = values_[k];
    if (values.weight) edge.weight = values.weight->number;
    notes.has_weights = notes.has_weights || values.weight.has_value();
    LinkNote link = note_of(edge, values);
    if (!link.latency_ms && !link.bandwidth_bytes_per_s) continue;
    notes.links.push_back(link);
    std::swap(link.from, link.to);
    if (direction == EdgeDirection::both) notes.links.push_back(link);
  }
  Topology made = direction == EdgeDirection::both ? Topology(agents, std::move(edges))
                                                   : Topology::of_arcs(agents, std::move(edges));
  return std::move(made).with_notes(std::move(notes));
}

}  // namespace lagnet
