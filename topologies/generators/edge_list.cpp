#include "topologies/generators/edge_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <utility>
#include <vector>

#include "topologies/generators/options_check.hpp"

namespace lagnet {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> split_at_commas(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const auto comma = line.find(',');
    fields.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class EdgeListReader {
 public:
  EdgeListReader(const std::string& name, EdgeDirection direction) : name_(name), direction_(direction) {}

  void read(std::istream& in) {
    bool header_possible = true;
    std::string text;
    for (std::size_t line = 1; std::getline(in, text); ++line) {
      const std::string_view content = trimmed(std::string_view(text).substr(0, text.find('#')));
      if (content.empty()) continue;
      const auto fields = split_at_commas(content);
      const bool header = header_possible && is_header(fields);
      header_possible = false;
      if (!header) read_edge(fields, content, line);
    }
  }

  Topology topology(std::optional<std::int64_t> agents) && {
    const bool is_directed = direction_ == EdgeDirection::one_way;
    if (!agents) agents = agents_that_occur();
    for (const EdgeProblem& problem : edge_problems(*agents, edges_, direction_)) {
      const Edge& edge = edges_[problem.edge];
      report(lines_[problem.edge], is_directed ? "an arc of a simple digraph" : "an edge of a simple graph",
             fmt::format("({},{}): {}", edge.from, edge.to, problem.text));
    }
    throw_problems();
    return is_directed ? Topology::of_arcs(*agents, std::move(edges_)) : Topology(*agents, std::move(edges_));
  }

 private:
  static bool is_header(const std::vector<std::string_view>& fields) {
    return fields.size() >= 2 && fields.size() <= 3 && fields[0] == "from" && fields[1] == "to" &&
           (fields.size() == 2 || fields[2] == "weight");
  }

  void read_edge(const std::vector<std::string_view>& fields, std::string_view content, std::size_t line) {
    if (fields.size() != 2 && fields.size() != 3) {
      unread_ = true;
      return report(line, "from,to or from,to,weight", content);
    }
    const auto from = parsed<AgentId>(fields[0]), to = parsed<AgentId>(fields[1]);
    const auto weight = fields.size() == 3 ? parsed<double>(fields[2]) : 1.0;
    for (std::size_t k = 0; k < 2; ++k) {
      if (!(k == 0 ? from : to)) report(line, "an agent's number, counted from 0", fields[k]);
    }
    const bool usable = weight && std::isfinite(*weight) && *weight > 0;
    if (!usable) report(line, "a finite weight above 0", fields[2]);
    if (!from || !to) {
      unread_ = true;
      return;
    }
    edges_.push_back({*from, *to, usable ? *weight : 1.0});
    lines_.push_back(line);
  }

  std::int64_t agents_that_occur() {
    std::vector<AgentId> ends;
    for (const Edge& edge : edges_) ends.insert(ends.end(), {edge.from, edge.to});
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    if (ends.empty()) {
      if (problems_.empty()) report(0, "an edge, or the number of agents", "neither");
      throw_problems();
    }
    const std::int64_t agents = static_cast<std::int64_t>(ends.back()) + 1;
    if (std::ssize(ends) != agents && !unread_) {
      std::size_t missing = 0;
      while (ends[missing] == missing) ++missing;
      report(0, fmt::format("edges for every agent from 0 to {}, or the number of agents", agents - 1),
             fmt::format("none for agent {}", missing));
    }
    return agents;
  }

  /// Line 0 stands for the file as a whole.
  void report(std::size_t line, std::string_view expected, std::string_view found) {
    const std::string where = line == 0 ? name_ : fmt::format("{}:{}", name_, line);
    const std::string_view stands_there = found.empty() ? "nothing" : found;
    problems_.emplace_back(line, Diagnostic{where, std::string(expected), std::string(stands_there)});
  }

  void throw_problems() {
    if (problems_.empty()) return;
    std::stable_sort(problems_.begin(), problems_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Diagnostic> in_order;
    for (auto& [line, problem] : problems_) in_order.push_back(std::move(problem));
    throw TopologyError(std::move(in_order));
  }

  const std::string& name_;
  EdgeDirection direction_;
  std::vector<Edge> edges_;
  std::vector<std::size_t> lines_;  // where each edge stands
  bool unread_ = false;             // a line's edge is not among them, and may be that of an agent without others
  std::vector<std::pair<std::size_t, Diagnostic>> problems_;  // with their lines
};

}  // namespace

Topology read_edge_list(std::istream& in, const std::string& name, std::optional<std::int64_t> agents,
                        EdgeDirection direction) {
  EdgeListReader reader(name, direction);
  reader.read(in);
  return std::move(reader).topology(agents);
}

Topology make_topology(const EdgeListOptions& options, std::uint64_t) {
  check_options(options);
  std::ifstream in = open_graph_file(options.path);
  return read_edge_list(in, options.path.string(), options.agents,
                        options.directed ? EdgeDirection::one_way : EdgeDirection::both);
}

}  // namespace lagnet
