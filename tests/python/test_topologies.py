"""Graphs of networkx as topologies, and links of runs as graphs."""

import networkx as nx

import lagnet
from support import SMALL, Case


class Topologies(Case):
    def latencies(self, topology):
        """Latency of each directed link, in ms, as the run has them."""
        links = lagnet.run(SMALL, topology=topology, set={"network.latency_ms": 2}).links
        return {(int(row["from"]), int(row["to"])): round(row["latency_s"] * 1000, 9) for _, row in links.iterrows()}

    def test_edges_are_the_links_both_ways(self):
        graph = nx.petersen_graph()
        both = {pair: 2 for a, b in graph.edges for pair in ((a, b), (b, a))}
        for topology in (graph, list(graph.edges), nx.DiGraph(graph)):
            self.assertEqual(self.latencies(topology), both)

    def test_edges_have_latencies_and_bandwidths_of_their_own(self):
        graph = nx.path_graph(4)
        graph.edges[0, 1].update(latency_ms=30, bandwidth_bytes_per_s=1e6)
        graph.edges[2, 3]["latency_ms"] = 7.5
        with self.assertWarnsRegex(lagnet.RunWarning, "1 of 3 edges have no latency and take network.latency_ms"):
            self.assertEqual(self.latencies(graph),
                             {(0, 1): 30, (1, 0): 30, (1, 2): 2, (2, 1): 2, (2, 3): 7.5, (3, 2): 7.5})
        with self.assertWarns(lagnet.RunWarning):
            result = lagnet.run(SMALL, topology=graph)
        bandwidths = result.links.set_index(["from", "to"])["bandwidth_bytes_per_s"]
        self.assertEqual((bandwidths[0, 1], bandwidths[1, 0], bandwidths[2, 3]), (1e6, 1e6, 125e6))

    def test_directions_of_a_directed_graph_may_differ(self):
        graph = nx.DiGraph([(0, 1), (1, 0), (1, 2), (2, 1)])
        graph.edges[1, 0]["latency_ms"] = 50
        self.assertEqual(self.latencies(graph), {(0, 1): 2, (1, 0): 50, (1, 2): 2, (2, 1): 2})

    def test_edges_without_their_opposites_are_links_that_go_one_way(self):
        graph = nx.DiGraph([(0, 1), (1, 2), (2, 0), (1, 0)])
        links = lagnet.run(SMALL, algorithm="push_sum", topology=graph).links
        self.assertEqual(set(zip(links["from"], links["to"])), set(graph.edges))
        graph.edges[1, 2]["weight"] = 2
        with self.assertWarnsRegex(lagnet.RunWarning, "weights of the edges are not used: push_sum"):
            result = lagnet.run(SMALL, algorithm="push_sum", topology=graph)
        self.assertEqual(result.summary["topology"]["arcs"], 4)
        with self.assertRaisesRegex(lagnet.ScenarioError, "/algorithm/kind"):
            lagnet.run(SMALL, algorithm="extra", topology=graph)

    def test_nodes_with_names_are_agents_in_their_order(self):
        graph = nx.Graph([("oslo", "rome"), ("rome", "paris")])
        self.assertEqual(sorted(self.latencies(graph)), [(0, 1), (1, 0), (1, 2), (2, 1)])
        backwards = nx.Graph()
        backwards.add_nodes_from([3, 2, 1, 0])
        backwards.add_edges_from([(0, 1), (1, 2), (2, 3)])
        self.assertEqual(len(self.latencies(backwards)), 6)
        self.assertIn((0, 1), self.latencies(backwards))

    def test_agents_are_the_same_in_every_format(self):
        """The path 0 - 2 - 1 with nodes added in another order, as numbers, as texts, and read back from GraphML."""
        graph = nx.Graph()
        graph.add_nodes_from([2, 0, 1])
        graph.add_edges_from([(0, 2), (2, 1)])
        nx.write_graphml(graph, "path.graphml")
        expected = {(0, 2), (2, 0), (1, 2), (2, 1)}
        for topology in (graph, nx.relabel_nodes(graph, str), nx.read_graphml("path.graphml"),
                         {"kind": "graphml", "path": "path.graphml"}):
            self.assertEqual(set(self.latencies(topology)), expected)
            self.assertNotIn("node", lagnet.run(SMALL, topology=topology).agents)

    def test_nodes_keep_their_names(self):
        graph = nx.Graph([("oslo", "rome & co"), ("rome & co", "paris")])
        graph.nodes["oslo"]["country"] = "Norway"
        with self.assertWarnsRegex(lagnet.RunWarning, "not used: country"):
            result = lagnet.run(SMALL, topology=graph, set={"network.links": [
                {"links": [["oslo", "rome & co"]], "latency_ms": 9}]})
        self.assertEqual(list(result.agents["node"]), ["oslo", "rome & co", "paris"])
        self.assertEqual(dict(zip(zip(result.links["from_node"], result.links["to_node"]), result.links["latency_s"])),
                         {("oslo", "rome & co"): 0.009, ("rome & co", "oslo"): 0.009, ("rome & co", "paris"): 0.002,
                          ("paris", "rome & co"): 0.002})
        self.assertEqual(result.graph.nodes[1]["node"], "rome & co")

    def test_attributes_are_read_by_the_names_that_files_have(self):
        graph = nx.path_graph(3)
        graph.edges[0, 1].update(delay="250 us", LinkSpeedRaw=8e6)
        graph.edges[1, 2].update(rtt_ms=30, bandwidth_bytes_per_s=5e5)
        links = lagnet.run(SMALL, topology=graph).links
        self.assertEqual(list(links["latency_s"]), [0.00025, 0.00025, 0.015, 0.015])
        self.assertEqual(list(links["bandwidth_bytes_per_s"]), [1e6, 1e6, 5e5, 5e5])
        graph.edges[0, 1]["delay"] = "far"
        self.assertRaisesRegex(lagnet.ScenarioError, "found far", lagnet.run, SMALL, topology=graph)

    def test_weights_come_through(self):
        """Weighted and unweighted path of three agents have the eigenvalues of their Laplacians: 3, and for weights 1
        and 2 the roots of x^2 - 6 x + 6."""
        graph = nx.path_graph(3)
        result = lagnet.run(SMALL, topology=graph)
        self.assertAlmostEqual(result.summary["topology"]["laplacian_max"], 3, 12)
        graph.edges[1, 2]["weight"] = 2
        result = lagnet.run(SMALL, topology=graph, set={"topology.gossip": "weights"}, out="r/weighted")
        self.assertAlmostEqual(result.summary["topology"]["laplacian_max"], 3 + 3**0.5, 12)
        self.assertTrue(lagnet.replay("r/weighted"))

    def test_graphs_that_are_not_simple_are_refused(self):
        several = nx.MultiGraph([(0, 1)])
        self.assertRaisesRegex(lagnet.ScenarioError, "a multigraph", lagnet.run, SMALL, topology=several)
        loop = nx.Graph([(0, 1), (1, 1)])
        self.assertRaisesRegex(lagnet.ScenarioError, "self loop", lagnet.run, SMALL, topology=loop)
        apart = nx.Graph([(0, 1), (2, 3)])
        self.assertRaisesRegex(lagnet.ScenarioError, "a connected graph", lagnet.run, SMALL, topology=apart)
        self.assertRaises(lagnet.InputError, lagnet.run, SMALL, topology=[(0, 1, 2)])

    def test_topologies_are_swept_over(self):
        topologies = [nx.cycle_graph(6), nx.complete_graph(6), {"kind": "star", "agents": 6}]
        runs = lagnet.sweep(SMALL, {"topology": topologies})
        self.assertEqual([run.summary["topology"]["edges"] for run in runs], [6, 15, 5])
        slow = nx.cycle_graph(6)
        nx.set_edge_attributes(slow, 3, "latency_ms")
        runs = lagnet.sweep(SMALL, {"topology": [slow]})
        self.assertEqual(set(runs[0].links["latency_s"]), {0.003})
        uneven = nx.DiGraph([(0, 1), (1, 0)])
        uneven.edges[0, 1]["latency_ms"] = 3
        self.assertRaisesRegex(lagnet.ScenarioError, "in both directions", lagnet.sweep, SMALL, {"topology": [uneven]})

    def test_a_section_is_a_topology(self):
        self.assertEqual(len(self.latencies({"kind": "star", "agents": 4})), 6)

    def test_the_graph_of_a_run_has_latencies_and_loads(self):
        graph = nx.path_graph(4)
        graph.edges[0, 1]["latency_ms"] = 30
        with self.assertWarnsRegex(lagnet.RunWarning, "2 of 3 edges have no latency"):
            result = lagnet.run(SMALL, topology=graph)
        made = result.graph
        self.assertEqual(made.to_undirected().edges, graph.edges)
        self.assertEqual((made.edges[0, 1]["latency_ms"], made.edges[2, 1]["latency_ms"]), (30, 2))
        sent = sum(load for _, _, load in made.edges(data="bytes_sent"))
        self.assertEqual(sent, result.summary["totals"]["bytes_sent"])
        self.assertEqual([made.nodes[k]["degree"] for k in range(4)], [1, 2, 2, 1])
        again = lagnet.run(SMALL, topology=nx.DiGraph((a, b, {"latency_ms": values["latency_ms"]})
                                                      for a, b, values in made.edges(data=True)))
        self.assertEqual(again.summary["trace_hash"], result.summary["trace_hash"])


if __name__ == "__main__":
    import unittest
    unittest.main()
