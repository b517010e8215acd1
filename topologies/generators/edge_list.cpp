#include "topologies/generators/edge_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include "topologies/generators/edge_attributes.hpp"
#include "topologies/generators/node_names.hpp"
#include "topologies/generators/options_check.hpp"
#include "topologies/generators/simple_edges.hpp"
#include "topologies/graph_notes.hpp"

namespace lagnet {

namespace {

/// The separator of a line: the first of these that is in it, outside of quotes.
char separator_of(std::string_view line) {
  std::string bare;
  for (bool quoted = false; const char c : line) {
    quoted = quoted != (c == '"');
    if (!quoted) bare += c;
  }
  for (const char separator : {',', ';', '\t'})
    if (bare.find(separator) != std::string::npos) return separator;
  return ' ';
}

/// A field may be in quotes, a quote in it doubled; of several blanks each group is one separator.
std::vector<std::string> split(std::string_view line, char separator) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (quoted || (c != separator && !(separator == ' ' && c == '\t'))) {
      fields.back() += c;
    } else if (separator != ' ' || !fields.back().empty()) {
      fields.emplace_back();
    }
  }
  for (std::string& field : fields) field = without_blanks(field);
  return fields;
}

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_number(std::string_view text) { return parsed<double>(text).has_value(); }

class EdgeListReader {
 public:
  EdgeListReader(const std::string& name, EdgeDirection direction, ParallelEdges parallel)
      : name_(name), direction_(direction), parallel_(parallel) {}

  void read(std::istream& in) {
    std::string text;
    for (std::size_t line = 1; std::getline(in, text); ++line) {
      if (line == 1 && text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);  // a byte order mark, as Excel writes one
      const std::string_view content = without_blanks(std::string_view(text).substr(0, text.find('#')));
      if (content.empty()) continue;
      if (columns_.empty()) separator_ = separator_of(content);
      const auto fields = split(content, separator_);
      const bool is_first = columns_.empty();
      if (is_first) columns_ = {"from", "to", "weight"};
      if (!is_first || !read_header(fields)) read_edge(fields, content, line);
    }
  }

  Topology topology(std::optional<std::int64_t> agents) && {
    const bool is_directed = direction_ == EdgeDirection::one_way;
    if (!agents || names_) agents = names_ ? agents_with_names(agents) : agents_that_occur();
    std::size_t repeated = 0;
    for (const EdgeProblem& problem : edge_problems(*agents, edges_, direction_)) {
      if (problem.is_repeated && parallel_ != ParallelEdges::refuse) continue;
      repeated += problem.is_repeated ? 1 : 0;
      const Edge& edge = edges_[problem.edge];
      report(lines_[problem.edge], is_directed ? "an arc of a simple digraph" : "an edge of a simple graph",
             fmt::format("({},{}): {}", name_of(edge.from), name_of(edge.to), problem.text));
    }
    if (repeated > 0) {
      Diagnostic why = why_not_parallel(repeated);
      why.where = fmt::format("{}: {}", name_, why.where);
      problems_.emplace_back(lines_.back() + 1, std::move(why));
    }
    throw_problems();
    GraphNotes notes;
    if (names_) notes.names = in_order_;
    return std::move(attributes_).topology(name_, *agents, std::move(edges_), direction_, parallel_, std::move(notes));
  }

 private:
  static std::optional<std::size_t> find_word(const std::vector<std::string>& words,
                                              std::initializer_list<std::string_view> wanted) {
    for (std::size_t k = 0; k < words.size(); ++k)
      if (std::ranges::find(wanted, std::string_view(words[k])) != wanted.end()) return k;
    return std::nullopt;
  }

  /// Takes a first line that has words for both ends.
  bool read_header(const std::vector<std::string>& fields) {
    std::vector<std::string> lower = fields;
    for (std::string& field : lower)
      std::ranges::transform(field, field.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto from = find_word(lower, {"from", "source"}), to = find_word(lower, {"to", "target"});
    if (!from || !to) return false;
    columns_ = fields;
    if (columns_.size() == 2) columns_.emplace_back("weight");  // which some lines may have
    from_ = *from;
    to_ = *to;
    has_header_ = true;
    return true;
  }

  void read_edge(const std::vector<std::string>& fields, std::string_view content, std::size_t line) {
    const bool fits = has_header_ ? fields.size() <= columns_.size() && fields.size() > std::max(from_, to_)
                                  : fields.size() == 2 || fields.size() == 3;
    if (!fits) {
      unread_ = true;
      return report(
          line,
          has_header_ ? fmt::format("{} fields, as the header has", columns_.size()) : "from,to or from,to,weight",
          content);
    }
    if (!names_are_known_) names_ = !is_number(fields[from_]) || !is_number(fields[to_]);
    names_are_known_ = true;
    const auto from = end_of(fields[from_], line), to = end_of(fields[to_], line);
    for (std::size_t k = 0; k < fields.size(); ++k) {
      if (k == from_ || k == to_) continue;
      const bool must_be = !has_header_;  // a third field is a weight, and a header's empty cells are no values
      const auto expected = must_be && fields[k].empty() ? std::optional<std::string>("a finite weight above 0")
                                                         : attributes_.take(edges_.size(), columns_[k], fields[k]);
      if (expected) report(line, *expected, fields[k]);
    }
    if (!from || !to) {
      unread_ = true;
      return;
    }
    edges_.push_back({*from, *to});
    lines_.push_back(line);
  }

  /// The agent that an end of an edge is.
  std::optional<AgentId> end_of(const std::string& field, std::size_t line) {
    if (!names_) {
      const auto number = parsed<AgentId>(field);
      if (!number) report(line, "an agent's number, counted from 0", field);
      return number;
    }
    if (field.empty() || !is_printable_utf8(field)) {
      report(line, "the name of a node, in printable UTF-8", field);
      return std::nullopt;
    }
    const auto [known, is_new] = numbers_.emplace(field, static_cast<AgentId>(in_order_.size()));
    if (is_new) in_order_.push_back(field);
    return known->second;
  }
  std::string name_of(AgentId agent) const { return names_ ? in_order_[agent] : fmt::format("{}", agent); }

  std::int64_t agents_with_names(std::optional<std::int64_t> stated) {
    if (stated && *stated != std::ssize(in_order_) && !unread_)
      report(0, fmt::format("{} nodes, the number of agents", *stated), fmt::format("{}", in_order_.size()));
    return std::ssize(in_order_);
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
    throw Diagnosed(std::move(in_order));
  }

  const std::string& name_;
  EdgeDirection direction_;
  ParallelEdges parallel_;
  char separator_ = ',';
  std::vector<std::string> columns_;  // empty until the first line
  std::size_t from_ = 0, to_ = 1;     // the columns of the ends
  bool has_header_ = false, names_are_known_ = false;
  bool names_ = false;  // nodes have names, not numbers
  std::map<std::string, AgentId> numbers_;
  std::vector<std::string> in_order_;  // the names by agent
  EdgeAttributeReader attributes_;
  std::vector<Edge> edges_;
  std::vector<std::size_t> lines_;  // the line of each edge
  bool unread_ = false;             // a line's edge is not among them, and may be that of an agent without others
  std::vector<std::pair<std::size_t, Diagnostic>> problems_;  // with their lines
};

}  // namespace

Topology make_topology(const EdgesOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> edges;
  for (const auto& ends : options.edges) edges.push_back(edge_between(ends[0], ends[1]));
  Topology made = options.directed ? Topology::of_arcs(options.agents, std::move(edges))
                                   : Topology(options.agents, std::move(edges));
  GraphNotes notes;
  if (options.names) notes.names = *options.names;
  return std::move(made).with_notes(std::move(notes));
}

EdgesOptions edges_options(const Topology& topology) {
  EdgesOptions options;
  options.agents = topology.agents();
  options.directed = topology.is_directed();
  if (const auto& names = topology.notes().names; !names.empty()) options.names = names;
  for (const Edge& edge : topology.edges()) options.edges.push_back({edge.from, edge.to});
  return options;
}

Topology read_edge_list(std::istream& in, const std::string& name, std::optional<std::int64_t> agents,
                        EdgeDirection direction, ParallelEdges parallel) {
  EdgeListReader reader(name, direction, parallel);
  reader.read(in);
  return std::move(reader).topology(agents);
}

Topology make_topology(const EdgeListOptions& options, std::uint64_t) {
  check_options(options);
  std::istringstream in = open_graph_file(options.path);
  return read_edge_list(in, options.path.string(), options.agents,
                        options.directed ? EdgeDirection::one_way : EdgeDirection::both, options.parallel_edges);
}

}  // namespace lagnet
