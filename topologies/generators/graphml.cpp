#include "topologies/generators/graphml.hpp"

#include <fmt/format.h>

#include <boost/any.hpp>
#include <boost/graph/graphml.hpp>
#include <boost/lexical_cast.hpp>
#include <boost/property_tree/ptree.hpp>
#include <exception>
#include <fstream>
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

}  // namespace

Topology read_graphml(std::istream& in, const std::string& name) {
  EdgeCollector found;
  const auto fail = [&](std::vector<std::string> problems) {
    for (std::string& problem : problems) problem = fmt::format("{}: {}", name, problem);
    throw TopologyError(std::move(problems));
  };
  try {
    boost::read_graphml(in, found, 0);
  } catch (const boost::graph_exception& error) {
    fail({fmt::format("expected GraphML of an undirected graph, found: {}", error.what())});
  } catch (const boost::property_tree::ptree_error& error) {
    fail({fmt::format("expected GraphML of an undirected graph, found: {}", error.what())});
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
