#include "scenarios/design/underlay.hpp"

#include <catch2/catch.hpp>

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
  const std::string text = routed_latencies(folder.path() / "underlay.graphml");
  CHECK(text == "latency_ms,0,1,2\n0,0,1.5,1.6\n1,1.5,0,0.1\n2,1.6,0.1,0\n");
  folder.write("latencies.csv", text);
  CHECK(read_latency_matrix(folder.path() / "latencies.csv").at(0, 2) == 1.6);
}

TEST_CASE("an underlay that is not connected has no latencies") {
  const TestFolder folder;
  folder.write("apart.graphml",
               R"(<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/></graph></graphml>)");
  CHECK_THROWS_AS(routed_latencies(folder.path() / "apart.graphml"), TopologyError);
}

}  // namespace lagnet::underlay_test
