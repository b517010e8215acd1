#include "topologies/generators/graphml.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "tests/unit/topologies/generators/graphs.hpp"
#include "tests/unit/topologies/said.hpp"

namespace lagnet::graphml_test {

namespace {

Topology from_graphml(const std::string& graph, const std::string& keys = "") {
  std::istringstream in("<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">" + keys +
                        graph + "</graphml>");
  return read_graphml(in, "roads.graphml");
}

}  // namespace

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

}  // namespace lagnet::graphml_test
