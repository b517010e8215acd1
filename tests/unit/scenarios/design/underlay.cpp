#include "scenarios/design/underlay.hpp"

#include <catch2/catch.hpp>
#include <numbers>
#include <string>

#include "scenarios/assembly/catalogues/latency_matrix.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "topologies/topology.hpp"

namespace lagnet::underlay_test {

TEST_CASE("routed latencies are a matrix that the reader of latencies takes") {
  const TestFolder folder;
  folder.write("underlay.graphml", R"(<graphml><key id="w" for="edge" attr.name="weight" attr.type="double"/>
    <graph edgedefault="undirected"><node id="a"/><node id="b"/><node id="c"/>
    <edge source="a" target="b"><data key="w">1.5</data></edge>
    <edge source="b" target="c"><data key="w">0.1</data></edge></graph></graphml>)");
  const RoutedLatencies routed = routed_latencies(folder.path() / "underlay.graphml");
  CHECK(routed.table == "latency_ms,a,b,c\na,0,1.5,1.6\nb,1.5,0,0.1\nc,1.6,0.1,0\n");
  REQUIRE(routed.warnings.size() == 1);
  CHECK_THAT(routed.warnings[0].text, Catch::Contains("weight was read as a latency in ms"));
  folder.write("latencies.csv", routed.table);
  CHECK(read_latency_matrix(folder.path() / "latencies.csv").at(0, 2) == 1.6);
}

TEST_CASE("routed latencies are those of edges, the least of parallel ones, or by distance, and never made up") {
  const TestFolder folder;
  const auto write = [&](const std::string& key) {
    folder.write("u.graphml", R"(<graphml><key id="l" for="edge" attr.name=")" + key + R"(" attr.type="double"/>
      <key id="a" for="node" attr.name="Latitude" attr.type="double"/>
      <key id="o" for="node" attr.name="Longitude" attr.type="double"/>
      <graph edgedefault="undirected"><node id="0"><data key="a">0</data><data key="o">0</data></node>
      <node id="1"><data key="a">0</data><data key="o">90</data></node>
      <edge source="0" target="1"><data key="l">40</data></edge>
      <edge source="1" target="0"><data key="l">10</data></edge>
      </graph></graphml>)");
  };
  const auto path = folder.path() / "u.graphml";
  write("rtt_ms");
  CHECK(routed_latencies(path).table == "latency_ms,0,1\n0,0,5\n1,5,0\n");
  CHECK(texts_of(routed_latencies(path).warnings) ==
        std::vector<std::string>{path.string() + ": 2 edges were merged into 1"});
  write("LinkSpeedRaw");
  const auto by_distance = routed_latencies(path, LatencyFrom::distance).warnings;
  REQUIRE(by_distance.size() == 2);
  CHECK(by_distance[0].text == path.string() + ": not used: LinkSpeedRaw");
  write("color");
  CHECK_THROWS_WITH(routed_latencies(path), Catch::Contains("edge (0,1): expected a latency"));
  const double quarter_ms = 1.5 * 6371 * std::numbers::pi / 2 / 200;
  const std::string text = routed_latencies(path, LatencyFrom::distance).table;
  CHECK(std::stod(text.substr(text.find("\n0,0,") + 5)) == Approx(quarter_ms).epsilon(1e-14));
}

TEST_CASE("an underlay that is not connected has no latencies") {
  const TestFolder folder;
  folder.write("apart.graphml",
               R"(<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/></graph></graphml>)");
  CHECK_THROWS_AS(routed_latencies(folder.path() / "apart.graphml"), Diagnosed);
}

}  // namespace lagnet::underlay_test
