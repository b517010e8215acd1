#include <catch2/catch.hpp>
#include <sstream>

#include "tests/unit/topologies/said.hpp"
#include "topologies/generators/edge_list.hpp"
#include "topologies/generators/graphml.hpp"

namespace lagnet::files_test_test {

namespace {

Topology from_csv(const std::string& text, std::optional<std::int64_t> agents = {}) {
  std::istringstream in(text);
  return read_edge_list(in, "roads.csv", agents);
}

Topology from_graphml(const std::string& graph, const std::string& keys = "") {
  std::istringstream in("<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">" + keys +
                        graph + "</graphml>");
  return read_graphml(in, "roads.graphml");
}

std::vector<Edge> edges_of(const Topology& topology) { return {topology.edges().begin(), topology.edges().end()}; }

}  // namespace

TEST_CASE("an edge list is read with and without header, weights, blanks and comments") {
  const std::vector<Edge> edges = {{0, 1, 1}, {1, 2, 2.5}};
  CHECK(edges_of(from_csv("from,to,weight\r\n1, 2 ,2.5\r\n\r\n# the rest\r\n0,1\r\n")) == edges);
  CHECK(edges_of(from_csv("0,1,1e0\n2,1,2.5 # half built")) == edges);
  CHECK(from_csv("from,to\n0,1\n").agents() == 2);
}

TEST_CASE("the number of agents may be given beside an edge list") {
  CHECK(from_csv("", 1).agents() == 1);
  const Topology topology = from_csv("1,2\n", 4);
  CHECK(topology.agents() == 4);
  CHECK(topology.components() == 3);
  CHECK(said([] { from_csv("0,4\n", 4); }) ==
        "roads.csv:1: expected an edge of a simple graph, found (0,4): endpoint 4 is not below 4 agents");
}

TEST_CASE("every wrong line of an edge list is reported, in the order of the file") {
  CHECK(said([] { from_csv("# roads\n0,1\n1,1\n1;2\n-1,x\n1,0\n1,2,0\n2,0,nan\n3,2,\n0,3,2,1\n"); }) ==
        "roads.csv:3: expected an edge of a simple graph, found (1,1): a self loop\n"
        "roads.csv:4: expected from,to or from,to,weight, found 1;2\n"
        "roads.csv:5: expected an agent's number, counted from 0, found -1\n"
        "roads.csv:5: expected an agent's number, counted from 0, found x\n"
        "roads.csv:6: expected an edge of a simple graph, found (1,0): given twice\n"
        "roads.csv:7: expected a finite weight above 0, found 0\n"
        "roads.csv:8: expected a finite weight above 0, found nan\n"
        "roads.csv:9: expected a finite weight above 0, found nothing\n"
        "roads.csv:10: expected from,to or from,to,weight, found 0,3,2,1");
}

TEST_CASE("an edge list that counts from 1 is told from one that counts from 0") {
  CHECK(said([] { from_csv("1,2\n2,3\n"); }) ==
        "roads.csv: expected edges for every agent from 0 to 3, or the number of agents, found none for agent 0");
}

TEST_CASE("an agent whose only edge cannot be read is not reported as one without edges") {
  CHECK(said([] { from_csv("0,1.5\n1,2\n"); }) == "roads.csv:1: expected an agent's number, counted from 0, found 1.5");
}

TEST_CASE("an edge list without edges and without the number of agents is rejected") {
  CHECK(said([] { from_csv("from,to\n"); }) == "roads.csv: expected an edge, or the number of agents, found neither");
}

TEST_CASE("GraphML nodes become agents in the order of the file") {
  const Topology topology = from_graphml(
      "<graph edgedefault=\"undirected\"><node id=\"z\"/><node id=\"a\"/><node id=\"m\"/>"
      "<edge source=\"a\" target=\"z\"/><edge source=\"m\" target=\"a\"/></graph>");
  CHECK(edges_of(topology) == std::vector<Edge>{{0, 1}, {1, 2}});
}

TEST_CASE("GraphML weights of any numeric type are read and other attributes ignored") {
  const std::string keys =
      "<key id=\"d0\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>"
      "<key id=\"d1\" for=\"edge\" attr.name=\"color\" attr.type=\"string\"/>"
      "<key id=\"d2\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>";
  const std::string graph =
      "<graph edgedefault=\"undirected\"><node id=\"0\"><data key=\"d2\">Oslo</data></node><node id=\"1\"/><node "
      "id=\"2\"/>"
      "<edge source=\"0\" target=\"1\"><data key=\"d0\">2.5</data><data key=\"d1\">red</data></edge>"
      "<edge source=\"1\" target=\"2\"><data key=\"d0\">3</data></edge></graph>";
  CHECK(edges_of(from_graphml(graph, keys)) == std::vector<Edge>{{0, 1, 2.5}, {1, 2, 3}});
}

TEST_CASE("GraphML that is no simple undirected graph is rejected with every problem") {
  CHECK(said([] {
          from_graphml(
              "<graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>"
              "<edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"a\"/><edge source=\"a\" "
              "target=\"a\"/></graph>");
        }) ==
        "roads.graphml: edge 1 (1,0): given twice\n"
        "roads.graphml: edge 2 (0,0): a self loop");
  CHECK(said([] {
          from_graphml(
              "<graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>"
              "<edge source=\"a\" target=\"b\"><data key=\"w\">far</data></edge></graph>",
              "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"string\"/>");
        }) == "roads.graphml: edge 0: expected a number as weight, found far");
  CHECK_THAT(said([] {
               from_graphml(
                   "<graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>"
                   "<edge source=\"a\" target=\"b\"/></graph>");
             }),
             Catch::StartsWith("roads.graphml: expected GraphML of an undirected graph, found "));
  CHECK(said([] { from_graphml("<graph>"); }) ==
        "roads.graphml: expected GraphML of an undirected graph, found in line 2: mismatched tag");
}

TEST_CASE("GraphML nodes that are given twice, and edges of nodes that are not there, are told at once") {
  CHECK(said([] {
          from_graphml(
              "<graph edgedefault=\"undirected\"><edge source=\"b\" target=\"z\"/><node id=\"a\"/><node id=\"b\"/>"
              "<node id=\"a\"/><edge source=\"a\" target=\"b\"/><edge source=\"y\"/></graph>");
        }) ==
        "roads.graphml: node a: expected each node once, found it twice\n"
        "roads.graphml: edge 0: expected the id of a node as target, found z\n"
        "roads.graphml: edge 2: expected the id of a node as source, found y\n"
        "roads.graphml: edge 2: expected the id of a node as target, found none");
}

TEST_CASE("GraphML that is nested without end is an error of its file") {
  const auto nested = [](int levels, const std::string& inner) {
    std::string text = inner;
    for (int k = 0; k < levels; ++k) text = "<desc a='>'>" + text + "</desc>";
    return "<graph edgedefault=\"undirected\"><node id=\"a\"/><!-- <a><b> --><node id=\"b\">" + text +
           "</node><edge source=\"a\" target=\"b\"/></graph>";
  };
  CHECK(from_graphml(nested(61, "<![CDATA[<a><b>]]>")).agents() == 2);
  std::string deep;
  for (int k = 0; k < 300'000; ++k) deep += "<desc>";
  for (int k = 0; k < 300'000; ++k) deep += "</desc>";
  const std::string line = "roads.graphml: expected at most 64 elements of XML within each other, found more";
  CHECK(said([&] { from_graphml(nested(62, "")); }) == line);
  CHECK(said([&] { from_graphml(nested(0, deep)); }) == line);
}

TEST_CASE("a file that is not there is named") {
  EdgeListOptions list;
  list.path = "no/such/roads.csv";
  CHECK(said([&] { make_topology(list, 1); }) == "no/such/roads.csv: expected a file that can be read, found none");
  GraphmlOptions graph;
  CHECK(said([&] { make_topology(graph, 1); }) == "graphml.path: expected a text, found none");
}

}  // namespace lagnet::files_test_test
