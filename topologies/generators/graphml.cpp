#include "topologies/generators/graphml.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <boost/any.hpp>
#include <boost/graph/graphml.hpp>
#include <boost/lexical_cast.hpp>
#include <boost/property_tree/exceptions.hpp>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/errors.hpp"
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
  explicit EdgeCollector(EdgeDirection direction) : direction_(direction) {}
  std::int64_t agents = 0;
  std::vector<Edge> edges;
  std::vector<Diagnostic> problems;

  bool is_directed() const override { return direction_ == EdgeDirection::one_way; }
  boost::any do_add_vertex() override { return static_cast<AgentId>(agents++); }
  std::pair<boost::any, bool> do_add_edge(boost::any source, boost::any target) override {
    edges.push_back({boost::any_cast<AgentId>(source), boost::any_cast<AgentId>(target)});
    return {edges.size() - 1, true};
  }
  void set_graph_property(const std::string&, const std::string&, const std::string&) override {}
  void set_vertex_property(const std::string&, boost::any, const std::string&, const std::string&) override {}
  void set_edge_property(const std::string& name, boost::any edge, const std::string& value,
                         const std::string&) override {
    if (name != "weight") return;
    const auto place = boost::any_cast<std::size_t>(edge);
    if (!boost::conversion::try_lexical_convert(value, edges[place].weight)) {
      problems.push_back({fmt::format("edge {}", place), "a number as weight", value});
    }
  }

 private:
  EdgeDirection direction_;
};

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
  bool is_broken() const { return is_broken_; }  // nothing more can be read

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
    if (is_in_graph && name == "edge") edges_.push_back({value(pairs, "source"), value(pairs, "target")});
    if (!is_in_graph || name != "node") return;
    if (const std::string id = value(pairs, "id"); !nodes_.insert(id).second)
      problems_.push_back({"node " + id, "each node once", "it twice"});
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
                    fmt::format("in line {}: {}", XML_GetCurrentLineNumber(parser_.get()),
                                XML_ErrorString(XML_GetErrorCode(parser_.get())))}};
  }

  const char* what_;  // is read
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  std::vector<std::string> open_;  // elements, the outermost one first
  std::set<std::string> nodes_;
  std::vector<Edge> edges_;
  std::vector<Diagnostic> problems_;
  bool is_broken_ = false;
};

}  // namespace

Topology read_graphml(std::istream& in, const std::string& name, EdgeDirection direction) {
  EdgeCollector found(direction);
  const auto fail = [&](std::vector<Diagnostic> problems) {
    for (Diagnostic& problem : problems) problem.where = problem.where.empty() ? name : name + ": " + problem.where;
    throw TopologyError(std::move(problems));
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
  try {
    if (found.is_directed()) return Topology::of_arcs(found.agents, std::move(found.edges));
    return Topology(found.agents, std::move(found.edges));
  } catch (const TopologyError& error) {
    fail(error.diagnostics);
    throw;
  }
}

Topology make_topology(const GraphmlOptions& options, std::uint64_t) {
  check_options(options);
  std::ifstream in = open_graph_file(options.path);
  return read_graphml(in, options.path.string(), options.directed ? EdgeDirection::one_way : EdgeDirection::both);
}

}  // namespace lagnet
