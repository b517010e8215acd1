#include "topologies/generators/edge_list.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "tests/unit/topologies/generators/graphs.hpp"
#include "tests/unit/topologies/said.hpp"
#include "topologies/graph_notes.hpp"

namespace lagnet::edge_list_test {

namespace {

EdgesOptions options(std::int64_t agents, std::vector<std::vector<std::int64_t>> edges) {
  EdgesOptions made;
  made.agents = agents;
  made.edges = std::move(edges);
  return made;
}

Topology from_csv(const std::string& text, std::optional<std::int64_t> agents = {}) {
  std::istringstream in(text);
  return read_edge_list(in, "roads.csv", agents);
}

}  // namespace

TEST_CASE("edges are written as they are, in any order") {
  CHECK(edges_of(make_topology(options(3, {{2, 1}, {0, 1}}), 1)) == std::vector<Edge>{{0, 1}, {1, 2}});
  CHECK(make_topology(options(1, {}), 1).agents() == 1);
}

TEST_CASE("the options of a graph make it again") {
  const Topology ring = with_agents<RingOptions>(5);
  CHECK(edges_of(make_topology(edges_options(ring), 1)) == edges_of(ring));
}

TEST_CASE("what is no edge is named") {
  CHECK(said([] {
          make_topology(options(3, {{0, 1, 2}, {0, 3}}), 1);
        }) == "edges.edges/0: expected two agents, found [0, 1, 2]\nedges.edges/1: expected agents below 3, found 3");
  CHECK(said([] { make_topology(options(3, {{-1, 0}}), 1); }) == "edges.edges: expected at least 0, found -1");
  CHECK(said([] {
          make_topology(options(3, {{1, 1}, {0, 1}, {1, 0}}), 1);
        }) == "edge 0 (1,1): a self loop\nedge 2 (1,0): given twice");
}

TEST_CASE("an edge list is read with and without header, weights, blanks and comments") {
  const std::vector<Edge> edges = {{0, 1, 1}, {1, 2, 2.5}};
  CHECK(edges_of(from_csv("from,to,weight\r\n1, 2 ,2.5\r\n\r\n# the rest\r\n0,1\r\n")) == edges);
  CHECK(edges_of(from_csv("0,1,1e0\n2,1,2.5 # half built")) == edges);
  CHECK(from_csv("from,to\n0,1\n").agents() == 2);
}

TEST_CASE("an edge list has the separators of its first line, and columns in any place") {
  const std::vector<Edge> edges = {{0, 1, 1}, {1, 2, 2.5}};
  for (const char* text :
       {"\xef\xbb\xbf"
        "from,to,weight\n0,1\n1,2,2.5\n",
        "0\t1\n1\t2\t2.5\n", "0;1\n1;2;2.5\n", "0 1\n1  2 2.5\n", "weight,Target,Source\n,0,1\n2.5,1,2\n"})
    CHECK(edges_of(from_csv(text)) == edges);
}

TEST_CASE("the nodes of an edge list have names where the first edge has, and are numbered as they appear") {
  const Topology topology = from_csv("source,target,latency_ms,note\nOslo,\"Rome, Italy\",30,x\nRome,Oslo,,\n");
  CHECK(topology.notes().names == std::vector<std::string>{"Oslo", "Rome, Italy", "Rome"});
  CHECK(topology.notes().links == std::vector<LinkNote>{{0, 1, 30, {}}, {1, 0, 30, {}}});
  CHECK(texts_of(topology.notes().remarks) ==
        std::vector<std::string>{"roads.csv: read: latency_ms (ms); not used: note; 1 of 2 "
                                 "edges have no latency and take network.latency_ms"});
  CHECK(said([] { from_csv("0,1\n1,Oslo\n"); }) ==
        "roads.csv:2: expected an agent's number, counted from 0, found Oslo");
  CHECK(said([] { from_csv("Oslo,Rome\nRome,Oslo\n"); }) ==
        "roads.csv:2: expected an edge of a simple graph, found (Rome,Oslo): given twice\n"
        "roads.csv: parallel_edges: expected \"merge\", to make one edge of those between the same nodes, found 1 more "
        "between nodes that had one");
}

TEST_CASE("texts with units, other units and round trips are converted") {
  const auto links = [](const std::string& text) { return from_csv(text).notes().links.at(0); };
  CHECK(links("from,to,latency,bandwidth\n0,1,250 us,1 Gbit\n") == LinkNote{0, 1, 0.25, 1.25e8});
  CHECK(links("from,to,rtt_ms,bandwidth_mbit_per_s\n0,1,30,8\n") == LinkNote{0, 1, 15, 1e6});
  CHECK(links("from,to,round_trip_ms,capacity\n0,1,0.5 s,3 KiB/s\n") == LinkNote{0, 1, 250, 3072});
  CHECK(links("from,to,LATENCY_S,bandwidth_bit_per_s\n0,1,0.002,800\n") == LinkNote{0, 1, 2, 100});
  const Topology bare = from_csv("from,to,bandwidth,packet_loss\n0,1,100,0.1\n");
  CHECK(bare.notes().links.empty());
  CHECK(texts_of(bare.notes().remarks) == std::vector<std::string>{"roads.csv: not used: bandwidth, packet_loss"});
  CHECK(said([] { from_csv("from,to,latency_ms,rtt_ms\n0,1,5,20\n"); }) ==
        "roads.csv:2: expected one latency, that of latency_ms, as rtt_ms, found 20");
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
        "roads.csv:10: expected from,to or from,to,weight, found 0,3,2,1\n"
        "roads.csv: parallel_edges: expected \"merge\", to make one edge of those between the same nodes, found 1 more "
        "between nodes that had one");
}

TEST_CASE("an edge list that counts from 1 is refused with the reason") {
  CHECK(said([] { from_csv("1,2\n2,3\n"); }) ==
        "roads.csv: expected edges for every agent from 0 to 3, or the number of agents, found none for agent 0");
}

TEST_CASE("an agent whose only edge cannot be read is not reported as one without edges") {
  CHECK(said([] { from_csv("0,1.5\n1,2\n"); }) == "roads.csv:1: expected an agent's number, counted from 0, found 1.5");
}

TEST_CASE("an edge list without edges and without the number of agents is rejected") {
  CHECK(said([] { from_csv("from,to\n"); }) == "roads.csv: expected an edge, or the number of agents, found neither");
}

TEST_CASE("a file that is not there is named") {
  EdgeListOptions list;
  list.path = "no/such/roads.csv";
  CHECK(said([&] { make_topology(list, 1); }) == "no/such/roads.csv: expected a file that can be read, found none");
  GraphmlOptions graph;
  CHECK(said([&] { make_topology(graph, 1); }) == "graphml.path: expected a text, found none");
}

}  // namespace lagnet::edge_list_test
