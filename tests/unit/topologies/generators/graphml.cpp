#include "topologies/generators/graphml.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "tests/unit/topologies/generators/graphs.hpp"
#include "tests/unit/topologies/said.hpp"
#include "topologies/graph_notes.hpp"

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

TEST_CASE("GraphML nodes with ids 0 .. n-1 in any order are the agents of these numbers") {
  const Topology topology = from_graphml(
      "<graph edgedefault=\"undirected\"><node id=\"2\"/><node id=\"0\"/><node id=\"1\"/>"
      "<edge source=\"2\" target=\"0\"/><edge source=\"1\" target=\"0\"/></graph>");
  CHECK(edges_of(topology) == std::vector<Edge>{{0, 1}, {0, 2}});
  CHECK(topology.notes().names.empty());
  // One more digit makes them names.
  const Topology named = from_graphml(
      "<graph edgedefault=\"undirected\"><node id=\"2\"/><node id=\"00\"/><node id=\"1\"/>"
      "<edge source=\"2\" target=\"00\"/><edge source=\"1\" target=\"00\"/></graph>");
  CHECK(edges_of(named) == std::vector<Edge>{{0, 1}, {1, 2}});
  CHECK(named.notes().names == std::vector<std::string>{"2", "00", "1"});
}

TEST_CASE("GraphML nodes are called by their labels, with the id where several have one") {
  const Topology topology = from_graphml(
      "<graph edgedefault=\"undirected\"><node id=\"0\"><data key=\"l\">Oslo</data></node>"
      "<node id=\"1\"><data key=\"l\">Rome</data></node><node id=\"2\"><data key=\"l\">Oslo</data></node>"
      "<node id=\"3\"/><edge source=\"0\" target=\"1\"/><edge source=\"2\" target=\"1\"/>"
      "<edge source=\"3\" target=\"1\"/></graph>",
      "<key id=\"l\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>");
  CHECK(topology.notes().names == std::vector<std::string>{"Oslo (0)", "Rome", "Oslo (2)", "3"});
  CHECK(topology.name_of(1) == "Rome");
}

TEST_CASE("GraphML edges have the latencies, bandwidths and weights that are understood, and the rest is named") {
  const std::string keys =
      "<key id=\"s\" for=\"edge\" attr.name=\"LinkSpeedRaw\" attr.type=\"double\"/>"
      "<key id=\"d\" for=\"edge\" attr.name=\"latency\" attr.type=\"string\"/>"
      "<key id=\"n\" for=\"edge\" attr.name=\"LinkLabel\" attr.type=\"string\"/>"
      "<key id=\"c\" for=\"node\" attr.name=\"Country\" attr.type=\"string\"/>";
  const Topology topology = from_graphml(
      "<graph edgedefault=\"undirected\"><node id=\"0\"><data key=\"c\">Norway</data></node><node id=\"1\"/>"
      "<node id=\"2\"/><edge source=\"0\" target=\"1\"><data key=\"s\">1e9</data><data key=\"d\">50</data>"
      "<data key=\"n\">fast</data></edge><edge source=\"2\" target=\"1\"><data key=\"d\">0.12 s</data></edge></graph>",
      keys);
  CHECK(topology.notes().links ==
        std::vector<LinkNote>{{0, 1, 50, 1.25e8}, {1, 0, 50, 1.25e8}, {2, 1, 120, {}}, {1, 2, 120, {}}});
  CHECK(
      texts_of(topology.notes().remarks) ==
      std::vector<std::string>{
          "roads.graphml: read: LinkSpeedRaw (bit/s), latency (ms); not used: Country, LinkLabel; 1 of 2 edges have no "
          "bandwidth and take network.bandwidth_bytes_per_s"});
}

TEST_CASE("GraphML attributes other than numbers are refused by their edge") {
  CHECK(said([] {
          from_graphml(
              "<graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\">"
              "<data key=\"d\">far</data><data key=\"s\">-1</data></edge></graph>",
              "<key id=\"d\" for=\"edge\" attr.name=\"latency_ms\" attr.type=\"string\"/>"
              "<key id=\"s\" for=\"edge\" attr.name=\"LinkSpeedRaw\" attr.type=\"double\"/>");
        }) ==
        "roads.graphml: edge 0: expected a latency from 0 to 1e9 ms as latency_ms, found far\n"
        "roads.graphml: edge 0: expected a bandwidth of at least 1 byte/s as LinkSpeedRaw, found -1");
}

TEST_CASE("GraphML nodes have places, by which they are drawn, and interfaces") {
  const Topology topology = from_graphml(
      "<graph edgedefault=\"undirected\"><node id=\"0\"><data key=\"a\">60</data><data key=\"o\">10</data></node>"
      "<node id=\"1\"><data key=\"a\">40</data><data key=\"o\">10</data><data key=\"u\">1e6</data></node><node "
      "id=\"2\"/>"
      "<edge source=\"0\" target=\"2\"/><edge source=\"1\" target=\"2\"/></graph>",
      "<key id=\"a\" for=\"node\" attr.name=\"Latitude\" attr.type=\"double\"/>"
      "<key id=\"o\" for=\"node\" attr.name=\"Longitude\" attr.type=\"double\"/>"
      "<key id=\"u\" for=\"node\" attr.name=\"up_bytes_per_s\" attr.type=\"double\"/>");
  REQUIRE(topology.positions().size() == 3);
  CHECK(topology.positions()[0] == Point{0.5, 1});
  CHECK(topology.positions()[1] == Point{0.5, 0});
  CHECK(topology.positions()[2] == Point{0.5, 0.5});  // between its neighbors
  CHECK(topology.notes().places[2] == std::nullopt);
  CHECK(topology.notes().interfaces == std::vector<InterfaceNote>{{1, 1e6, {}}});
}

TEST_CASE("parallel edges of GraphML are merged: the least latency, the sums of bandwidths and weights") {
  const std::string graph =
      "<graph edgedefault=\"undirected\"><node id=\"0\"/><node id=\"1\"/><edge source=\"0\" target=\"1\">"
      "<data key=\"d\">7</data><data key=\"b\">100</data><data key=\"w\">2</data></edge><edge source=\"1\" "
      "target=\"0\">"
      "<data key=\"d\">5</data><data key=\"b\">50</data><data key=\"w\">0.5</data></edge><edge source=\"0\" "
      "target=\"1\"/></graph>";
  const std::string keys =
      "<key id=\"d\" for=\"edge\" attr.name=\"latency_ms\" attr.type=\"double\"/>"
      "<key id=\"b\" for=\"edge\" attr.name=\"bandwidth_bytes_per_s\" attr.type=\"double\"/>"
      "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>";
  std::istringstream in("<graphml>" + keys + graph + "</graphml>");
  const Topology topology = read_graphml(in, "roads.graphml", EdgeDirection::both, ParallelEdges::merge);
  CHECK(edges_of(topology) == std::vector<Edge>{{0, 1, 2.5}});
  CHECK(topology.notes().links == std::vector<LinkNote>{{0, 1, 5, 150}, {1, 0, 5, 150}});
  CHECK(topology.notes().remarks.back().text == "roads.graphml: 3 edges were merged into 1");
}

TEST_CASE("GraphML with hyperedges, or with a second graph, is refused") {
  CHECK(said([] {
          from_graphml(
              "<graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"/>"
              "<hyperedge><endpoint node=\"a\"/><endpoint node=\"b\"/></hyperedge></graph>");
        }) == "roads.graphml: hyperedge 0: expected edges between two nodes each, found a hyperedge");
  CHECK(said([] {
          from_graphml("<graph edgedefault=\"undirected\"><node id=\"a\"/></graph><graph edgedefault=\"undirected\"/>");
        }) == "roads.graphml: expected one graph, without others beside or within it, found a second one");
}

TEST_CASE("GraphML weights of any numeric type are read and other attributes named as not used") {
  const std::string keys =
      "<key id=\"d0\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>"
      "<key id=\"d1\" for=\"edge\" attr.name=\"color\" attr.type=\"string\"/>"
      "<key id=\"d2\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>";
  const std::string graph =
      "<graph edgedefault=\"undirected\"><node id=\"0\"><data key=\"d2\">Oslo</data></node><node id=\"1\"/><node "
      "id=\"2\"/>"
      "<edge source=\"0\" target=\"1\"><data key=\"d0\">2.5</data><data key=\"d1\">red</data></edge>"
      "<edge source=\"1\" target=\"2\"><data key=\"d0\">3</data></edge></graph>";
  const Topology topology = from_graphml(graph, keys);
  CHECK(edges_of(topology) == std::vector<Edge>{{0, 1, 2.5}, {1, 2, 3}});
  CHECK(texts_of(topology.notes().remarks) == std::vector<std::string>{"roads.graphml: read: weight; not used: color"});
}

TEST_CASE("GraphML other than a simple undirected graph is rejected with every problem") {
  CHECK(said([] {
          from_graphml(
              "<graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>"
              "<edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"a\"/><edge source=\"a\" "
              "target=\"a\"/></graph>");
        }) ==
        "roads.graphml: edge 1 (b,a): given twice\n"
        "roads.graphml: edge 2 (a,a): a self loop\n"
        "roads.graphml: parallel_edges: expected \"merge\", to make one edge of those between the same nodes, found 1 "
        "more "
        "between nodes that had one");
  CHECK(said([] {
          from_graphml(
              "<graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>"
              "<edge source=\"a\" target=\"b\"><data key=\"w\">far</data></edge></graph>",
              "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"string\"/>");
        }) == "roads.graphml: edge 0: expected a finite weight above 0, found far");
  CHECK_THAT(said([] {
               from_graphml(
                   "<graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>"
                   "<edge source=\"a\" target=\"b\"/></graph>");
             }),
             Catch::StartsWith("roads.graphml: expected GraphML of an undirected graph, found "));
  CHECK(said([] { from_graphml("<graph>"); }) ==
        "roads.graphml: expected GraphML of an undirected graph, found in line 2: mismatched tag");
}

TEST_CASE("Duplicate GraphML nodes, and edges of missing nodes, are reported at once") {
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
