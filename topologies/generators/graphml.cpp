#include "topologies/generators/graphml.hpp"

#include <fmt/format.h>

#include <boost/any.hpp>
#include <boost/graph/graphml.hpp>
#include <boost/lexical_cast.hpp>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <exception>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "topologies/options_check.hpp"

namespace lagnet {

namespace {

/// Takes what Boost's reader finds as a plain edge list, so that Topology can judge all of it at once; a graph object
/// would stop at the first attribute it has no place for.
class EdgeCollector : public boost::mutate_graph {
 public:
  std::int64_t agents = 0;
  std::vector<Edge> edges;
  std::vector<std::string> problems;

  bool is_directed() const override { return false; }
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
      problems.push_back(fmt::format("edge {}: expected a number as weight, found {}", place, value));
    }
  }
};

constexpr int deepest = 64;  // GraphML of one graph needs about five; the reader recurses once per level

/// Behind what opens at `start` and ends with `mark`.
std::size_t behind(std::string_view text, std::size_t start, std::string_view mark) {
  const std::size_t at = text.find(mark, start);
  return at == std::string_view::npos ? text.size() : at + mark.size();
}

/// Behind a tag that starts at `start`: a bracket in an attribute's value does not end it.
std::size_t behind_tag(std::string_view text, std::size_t start) {
  char quote = 0;
  for (std::size_t i = start; i < text.size(); ++i) {
    if (quote == 0 && text[i] == '>') return i + 1;
    if (quote == 0 && (text[i] == '"' || text[i] == '\''))
      quote = text[i];
    else if (text[i] == quote)
      quote = 0;
  }
  return text.size();
}

/// Whether more elements lie within each other than the reader can take. Nothing else is checked here.
bool is_too_deep(std::string_view text) {
  int depth = 0;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<!--")) {
      at = behind(text, at, "-->");
    } else if (rest.starts_with("<![CDATA[")) {
      at = behind(text, at, "]]>");
    } else if (rest.starts_with("<?")) {
      at = behind(text, at, "?>");
    } else {
      const std::size_t end = behind_tag(text, at);
      if (rest.starts_with("</"))
        --depth;
      else if (!rest.starts_with("<!") && !text.substr(at, end - at).ends_with("/>"))
        ++depth;
      if (depth > deepest) return true;
      at = end;
    }
  }
  return false;
}

using Tree = boost::property_tree::ptree;

std::string attribute(const Tree& element, const char* name) {
  return element.get<std::string>(Tree::path_type(std::string("<xmlattr>/") + name, '/'), "");
}

/// Calls `visit` with the elements of a graph that have this name, and of the graphs in it.
template <class Visit>
void for_each_element(const Tree& graph, const char* name, const Visit& visit) {
  for (const auto& [tag, child] : graph) {
    if (tag == name) visit(child);
    if (tag == "graph") for_each_element(child, name, visit);
  }
}

/// What Boost's reader passes over: it takes a node that is given twice for one, and makes those that edges alone name.
void check_names(const Tree& document, std::vector<std::string>& problems) {
  const auto graphml = document.get_child_optional("graphml");
  const auto graph = graphml ? graphml->get_child_optional("graph") : boost::none;
  if (!graph) return;
  std::set<std::string> nodes;
  for_each_element(*graph, "node", [&](const Tree& node) {
    const std::string id = attribute(node, "id");
    if (!nodes.insert(id).second)
      problems.push_back(fmt::format("node {}: expected each node once, found it twice", id));
  });
  std::size_t number = 0;
  for_each_element(*graph, "edge", [&](const Tree& edge) {
    for (const char* end : {"source", "target"})
      if (const std::string id = attribute(edge, end); !nodes.contains(id))
        problems.push_back(
            fmt::format("edge {}: expected the id of a node as {}, found {}", number, end, id.empty() ? "none" : id));
    ++number;
  });
}

}  // namespace

Topology read_graphml(std::istream& in, const std::string& name) {
  EdgeCollector found;
  const auto fail = [&](std::vector<std::string> problems) {
    for (std::string& problem : problems) problem = fmt::format("{}: {}", name, problem);
    throw TopologyError(std::move(problems));
  };
  const std::string text(std::istreambuf_iterator<char>(in), {});
  if (is_too_deep(text))
    fail({fmt::format("expected at most {} elements of XML within each other, found more", deepest)});
  try {
    std::istringstream for_names(text), for_graph(text);
    Tree document;
    boost::property_tree::read_xml(for_names, document);
    check_names(document, found.problems);
    boost::read_graphml(for_graph, found, 0);
  } catch (const boost::graph_exception& error) {
    if (!found.problems.empty()) fail(found.problems);
    fail({fmt::format("expected GraphML of an undirected graph, found {}", error.what())});
  } catch (const boost::property_tree::xml_parser_error& error) {
    fail({fmt::format("expected GraphML of an undirected graph, found in line {}: {}", error.line(), error.message())});
  } catch (const boost::property_tree::ptree_error& error) {
    if (!found.problems.empty()) fail(found.problems);
    fail({fmt::format("expected GraphML of an undirected graph, found {}", error.what())});
  }
  if (!found.problems.empty()) fail(found.problems);
  try {
    return Topology(found.agents, std::move(found.edges));
  } catch (const TopologyError& error) {
    fail(error.problems());
    throw;
  }
}

Topology make_topology(const GraphmlOptions& options, std::uint64_t) {
  check_options(options);
  std::ifstream in(options.path);
  if (!in) throw TopologyError({fmt::format("{}: expected a file that can be read, found none", options.path)});
  return read_graphml(in, options.path);
}

}  // namespace lagnet
