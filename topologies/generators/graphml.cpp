#include "topologies/generators/graphml.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/any.hpp>
#include <boost/graph/graphml.hpp>
#include <boost/lexical_cast.hpp>
#include <boost/property_tree/exceptions.hpp>
#include <exception>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/errors.hpp"
#include "topologies/generators/edge_attributes.hpp"
#include "topologies/generators/node_names.hpp"
#include "topologies/generators/options_check.hpp"

namespace lagnet {

namespace {

const char* what_is_read(EdgeDirection direction) {
  return direction == EdgeDirection::both ? "GraphML of an undirected graph" : "GraphML of a directed graph";
}

/// Takes what Boost's reader finds as a plain edge list, so that Topology can judge all of it at once; a graph object
/// would stop at the first attribute it has no place for.
class EdgeCollector : public boost::mutate_graph {
 public:
  EdgeCollector(EdgeDirection direction, EdgeUse use)
      : attributes(use), takes_rates_(use.bandwidths), direction_(direction) {}
  std::vector<Edge> edges;  // between places of nodes in the file
  EdgeAttributeReader attributes;
  std::vector<std::map<std::string, std::string>> nodes;  // the attributes of each that are understood
  std::vector<Diagnostic> problems;

  bool is_directed() const override { return direction_ == EdgeDirection::one_way; }
  boost::any do_add_vertex() override {
    nodes.emplace_back();
    return static_cast<AgentId>(nodes.size() - 1);
  }
  std::pair<boost::any, bool> do_add_edge(boost::any source, boost::any target) override {
    edges.push_back({boost::any_cast<AgentId>(source), boost::any_cast<AgentId>(target)});
    return {edges.size() - 1, true};
  }
  void set_graph_property(const std::string&, const std::string&, const std::string&) override {}
  void set_vertex_property(const std::string& name, boost::any node, const std::string& value,
                           const std::string&) override {
    const std::string known = boost::algorithm::to_lower_copy(name);
    if (std::ranges::find(node_attributes, known) == std::end(node_attributes) ||
        (known.ends_with("bytes_per_s") && !takes_rates_))
      return attributes.skip(name);
    nodes[boost::any_cast<AgentId>(node)][known] = without_blanks(value);
  }
  void set_edge_property(const std::string& name, boost::any edge, const std::string& value,
                         const std::string&) override {
    const auto place = boost::any_cast<std::size_t>(edge);
    const std::string_view given = without_blanks(value);
    if (const auto expected = attributes.take(place, name, given))
      problems.push_back({fmt::format("edge {}", place), *expected, std::string(given)});
  }

 private:
  static constexpr std::string_view node_attributes[] = {"label",    "name",     "up_bytes_per_s", "down_bytes_per_s",
                                                         "latitude", "longitude"};
  bool takes_rates_;
  EdgeDirection direction_;
};

/// What the attributes of nodes say; agents are numbered by `agents`, the agent of each node.
class NodeNotes {
 public:
  NodeNotes(const std::vector<std::string>& ids, const EdgeCollector& found, std::vector<Diagnostic>& problems)
      : ids_(ids), found_(found), problems_(problems) {}

  GraphNotes made(const std::vector<AgentId>& agents) {
    GraphNotes notes;
    std::vector<std::string> labels(ids_.size()), ids(ids_.size());
    std::vector<std::optional<Place>> places(ids_.size());
    for (std::size_t node = 0; node < ids_.size(); ++node) {
      const AgentId agent = agents[node];
      ids[agent] = ids_[node];
      labels[agent] = text(node, "label").empty() ? text(node, "name") : text(node, "label");
      places[agent] = place(node);
      const auto up = number(node, "up_bytes_per_s", 1, 1e300), down = number(node, "down_bytes_per_s", 1, 1e300);
      if (up || down) notes.interfaces.push_back({.agent = agent, .up_bytes_per_s = up, .down_bytes_per_s = down});
    }
    notes.names = names_of_nodes(ids, labels);
    if (std::ranges::any_of(places, [](const auto& one) { return one.has_value(); })) notes.places = std::move(places);
    return notes;
  }

 private:
  std::string text(std::size_t node, const char* key) const {
    const auto found = found_.nodes[node].find(key);
    return found == found_.nodes[node].end() ? "" : found->second;
  }
  std::optional<double> number(std::size_t node, const char* key, double low, double high) {
    const std::string given = text(node, key);
    if (given.empty()) return std::nullopt;
    double value = 0;
    if (boost::conversion::try_lexical_convert(given, value) && value >= low && value <= high) return value;
    problems_.push_back(
        {fmt::format("node {}", ids_[node]), fmt::format("a number from {:g} to {:g} as {}", low, high, key), given});
    return std::nullopt;
  }
  std::optional<Place> place(std::size_t node) {
    const auto latitude = number(node, "latitude", -90, 90), longitude = number(node, "longitude", -180, 180);
    return latitude && longitude ? std::optional(Place{*latitude, *longitude}) : std::nullopt;
  }

  const std::vector<std::string>& ids_;
  const EdgeCollector& found_;
  std::vector<Diagnostic>& problems_;
};

// Expat 2.9 deprecates the old name.
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
auto line_number(XML_Parser parser) { return XML_GetCurrentLineNumber64(parser); }
#else
auto line_number(XML_Parser parser) { return XML_GetCurrentLineNumber(parser); }
#endif

/// What Boost's reader passes over, found in a pass of its own: it recurses once per level of elements, takes a node
/// that is given twice for one, and makes those that edges alone name.
class Outline {
 public:
  Outline(std::string_view text, const char* what) : what_(what), parser_(XML_ParserCreate(nullptr), XML_ParserFree) {
    LAGNET_CHECK(parser_, "no memory for a parser of XML");
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(), [](void* self, const char* name, const char** pairs) { of(self).open(name, pairs); },
        [](void* self, const char*) { of(self).open_.pop_back(); });
    constexpr std::size_t at_once = std::size_t{1} << 24;  // the parser counts in ints
    do {
      const std::string_view part = text.substr(0, at_once);
      text.remove_prefix(part.size());
      if (XML_Parse(parser_.get(), part.data(), static_cast<int>(part.size()), text.empty()) == XML_STATUS_ERROR) {
        tell_error();
        return;
      }
    } while (!text.empty());
    check_edges();
  }
  const std::vector<Diagnostic>& problems() const { return problems_; }
  bool is_broken() const { return is_broken_; }                 // nothing more can be read
  const std::vector<std::string>& ids() const { return ids_; }  // of the nodes, in the file's order

 private:
  static constexpr std::size_t deepest = 64;  // GraphML of one graph needs about five
  struct Edge {
    std::string source, target;
  };

  static Outline& of(void* self) { return *static_cast<Outline*>(self); }
  static std::string value(const char** pairs, std::string_view name) {
    for (; *pairs; pairs += 2)
      if (*pairs == name) return pairs[1];
    return "";
  }
  void open(std::string_view name, const char** pairs) {
    if (open_.size() == deepest) {
      XML_StopParser(parser_.get(), XML_FALSE);
      return;
    }
    const bool is_in_graph = !open_.empty() && open_.back() == "graph";
    open_.emplace_back(name);
    if (name == "graph" && ++graphs_ == 2)
      problems_.push_back({"", "one graph, without others beside or within it", "a second one"});
    if (!is_in_graph) return;
    if (name == "edge") edges_.push_back({value(pairs, "source"), value(pairs, "target")});
    if (name == "hyperedge")
      problems_.push_back({fmt::format("hyperedge {}", hyperedges_++), "edges between two nodes each", "a hyperedge"});
    if (name != "node") return;
    const std::string id = value(pairs, "id");
    if (!nodes_.insert(id).second) problems_.push_back({"node " + id, "each node once", "it twice"});
    ids_.push_back(id);
  }
  void check_edges() {
    for (std::size_t k = 0; k < edges_.size(); ++k)
      for (const auto& [end, id] : {std::pair("source", edges_[k].source), std::pair("target", edges_[k].target)})
        if (!nodes_.contains(id))
          problems_.push_back(
              {fmt::format("edge {}", k), fmt::format("the id of a node as {}", end), id.empty() ? "none" : id});
  }
  void tell_error() {
    is_broken_ = true;
    if (XML_GetErrorCode(parser_.get()) == XML_ERROR_ABORTED)
      problems_ = {{"", fmt::format("at most {} elements of XML within each other", deepest), "more"}};
    else
      problems_ = {{"", what_,
                    fmt::format("in line {}: {}", line_number(parser_.get()),
                                XML_ErrorString(XML_GetErrorCode(parser_.get())))}};
  }

  const char* what_;  // is read
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  std::vector<std::string> open_;  // elements, the outermost one first
  std::set<std::string> nodes_;
  std::vector<std::string> ids_;
  std::size_t graphs_ = 0, hyperedges_ = 0;
  std::vector<Edge> edges_;
  std::vector<Diagnostic> problems_;
  bool is_broken_ = false;
};

}  // namespace

namespace {

/// Adds what no simple graph has: loops, and edges that are there again unless they are merged.
void add_edge_problems(const std::vector<Edge>& edges, const Outline& outline, EdgeDirection direction,
                       ParallelEdges parallel, std::vector<Diagnostic>& problems) {
  std::size_t repeated = 0;
  for (const EdgeProblem& one : edge_problems(std::ssize(outline.ids()), edges, direction)) {
    if (one.is_repeated && parallel != ParallelEdges::refuse) continue;
    repeated += one.is_repeated ? 1 : 0;
    problems.push_back({fmt::format("edge {} ({},{})", one.edge, outline.ids()[edges[one.edge].from],
                                    outline.ids()[edges[one.edge].to]),
                        "", one.text});
  }
  if (repeated > 0) problems.push_back(why_not_parallel(repeated));
}

}  // namespace

Topology read_graphml(std::istream& in, const std::string& name, EdgeDirection direction, ParallelEdges parallel,
                      EdgeUse use) {
  EdgeCollector found(direction, use);
  const auto fail = [&](std::vector<Diagnostic> problems) {
    for (Diagnostic& problem : problems) problem.where = problem.where.empty() ? name : name + ": " + problem.where;
    throw Diagnosed(std::move(problems));
  };
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const Outline outline(text, what_is_read(direction));
  found.problems = outline.problems();
  if (outline.is_broken()) fail(found.problems);
  const auto cannot_read = [&](const char* what_is_there) {
    if (!found.problems.empty()) fail(found.problems);
    fail({{"", what_is_read(direction), what_is_there}});
  };
  try {
    std::istringstream for_graph(text);
    boost::read_graphml(for_graph, found, 0);
  } catch (const boost::directed_graph_error&) {
    cannot_read("a directed one; \"directed\": true reads it");
  } catch (const boost::undirected_graph_error&) {
    cannot_read("an undirected one; \"directed\": false reads it");
  } catch (const boost::graph_exception& error) {
    cannot_read(error.what());
  } catch (const boost::property_tree::ptree_error& error) {
    cannot_read(error.what());
  }
  if (!found.problems.empty()) fail(found.problems);
  LAGNET_CHECK(found.nodes.size() == outline.ids().size(), "{} nodes, {} ids", found.nodes.size(),
               outline.ids().size());
  const std::vector<AgentId> agents = agents_of_ids(outline.ids());
  GraphNotes notes = NodeNotes(outline.ids(), found, found.problems).made(agents);
  add_edge_problems(found.edges, outline, direction, parallel, found.problems);
  if (found.nodes.empty()) found.problems.push_back({"", "a node", "none"});
  if (!found.problems.empty()) fail(found.problems);
  for (Edge& edge : found.edges) edge = {agents[edge.from], agents[edge.to]};
  return std::move(found.attributes)
      .topology(name, std::ssize(agents), std::move(found.edges), direction, parallel, std::move(notes));
}

Topology make_topology(const GraphmlOptions& options, std::uint64_t) {
  check_options(options);
  std::istringstream in = open_graph_file(options.path);
  return read_graphml(in, options.path.string(), options.directed ? EdgeDirection::one_way : EdgeDirection::both,
                      options.parallel_edges, options.use);
}

}  // namespace lagnet
