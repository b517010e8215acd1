"""Graphs as people have them: files of the Topology Zoo's form, names of nodes, attributes of edges, own gossip."""

import json
import os
import re
import subprocess

import zoo_files
from support import PROGRAM, Case, changed

PEERS = {
    "lagnet": 1,
    "name": "peers",
    "data": {"source": "gaussian_regression", "samples": 60, "features": 3},
    "topology": {"kind": "graphml", "path": "g.graphml", "parallel_edges": "merge"},
    "algorithm": {"kind": "extra"},
    "stop": {"rounds": 5},
}
CITIES = """<graphml><key id="n" for="node" attr.name="label" attr.type="string"/>
<key id="l" for="edge" attr.name="latency_ms" attr.type="double"/><graph edgedefault="undirected">
<node id="a"><data key="n">Oslo</data></node><node id="b"><data key="n">Rome, Italy</data></node>
<node id="c"><data key="n">Paris</data></node>
<edge source="a" target="b"><data key="l">50</data></edge><edge source="b" target="c"><data key="l">120</data></edge>
</graph></graphml>"""
WEIGHTED = "from,to,weight\n0,1,1\n1,2,1\n2,3,1\n3,0,0.5\n"


class Graphs(Case):
    def write_peers(self, changes=None, graph=CITIES):
        self.write("g.graphml", graph)
        return self.write("s.json", changed(PEERS, changes or {}))

    def error_of(self, command, *arguments):
        status, _, err = self.lagnet(command, *arguments)
        self.assertEqual(status, 2, err)
        return " ".join(err.split())

    def test_ten_files_of_the_topology_zoo(self):
        for seed in range(10):
            nodes, links = zoo_files.network(seed)
            self.write_peers(graph=zoo_files.graphml(seed))
            facts = json.loads(self.succeeds("topology", "s.json", "--json", "--quiet"))[0]
            pairs = {frozenset((a, b)) for a, b, _ in links}
            self.assertEqual((facts["agents"], facts["edges"]), (len(nodes), len(pairs)))
            self.assertEqual(facts["nodes"], [label for label, _, _ in nodes])
            status, _, err = self.lagnet("run", "s.json", "--out", f"r{seed}")
            self.assertEqual(status, 0, err)
            said = " ".join(err.split())
            self.assertRegex(said, r"g\.graphml: read: LinkSpeedRaw \(bit/s\); not used: Country, ")
            self.assertIn(f"{len(links)} edges were merged into {len(pairs)}", said)
            speeds = {}
            for a, b, speed in links:
                if speed is not None:
                    speeds[frozenset((a, b))] = speeds.get(frozenset((a, b)), 0) + speed / 8
            rows = self.table(f"r{seed}/links.csv")
            self.assertEqual(len(rows), 2 * len(pairs))
            for row in rows:
                ends = frozenset((int(row["from"]), int(row["to"])))
                self.assertEqual(float(row["bandwidth_bytes_per_s"]), speeds.get(ends, 125e6))
                self.assertEqual(row["from_node"], nodes[int(row["from"])][0])
            self.assertEqual([row["node"] for row in self.table(f"r{seed}/agents.csv")], facts["nodes"])

    def test_parallel_links_are_refused_with_the_key_that_merges_them(self):
        self.write_peers({"/topology/parallel_edges": "refuse"}, zoo_files.graphml(1))
        told = self.error_of("validate", "s.json")
        self.assertIn("given twice", told)
        self.assertIn('g.graphml: parallel_edges: expected "merge"', told)

    def test_latencies_by_places(self):
        distance = {"/network": {"latency_ms": {"kind": "distance"}}}
        located = next(seed for seed in range(100)
                       if all(latitude is not None for _, latitude, _ in zoo_files.network(seed)[0]))
        nodes, _ = zoo_files.network(located)
        self.write_peers(distance, zoo_files.graphml(located))
        self.lagnet("run", "s.json", "--out", "r", "--quiet")
        for row in self.table("r/links.csv"):
            expected = zoo_files.distance_ms(nodes[int(row["from"])], nodes[int(row["to"])])
            self.assertAlmostEqual(float(row["latency_s"]) * 1e3, expected, 5)
        lacking = next(seed for seed in range(100)
                       if any(latitude is None for _, latitude, _ in zoo_files.network(seed)[0]))
        self.write_peers(distance, zoo_files.graphml(lacking))
        told = self.error_of("validate", "s.json")
        for label, latitude, _ in zoo_files.network(lacking)[0]:
            self.assertEqual(f"found none of node {label}" in told, latitude is None, told)

    def test_attributes_of_edges_are_those_of_links_and_settings_come_before_them(self):
        self.write_peers()
        self.succeeds("run", "s.json", "--out", "r", "--quiet")
        self.assertEqual([float(row["latency_s"]) for row in self.table("r/links.csv")], [0.05, 0.05, 0.12, 0.12])
        self.write_peers({"/network": {"links": [{"links": [["Paris", "Rome, Italy"]], "latency_ms": 7}],
                                       "interfaces": [{"agents": ["Oslo"], "up_bytes_per_s": 1000}]}})
        self.succeeds("run", "s.json", "--out", "r2", "--quiet")
        rows = self.table("r2/links.csv")
        self.assertEqual([float(row["latency_s"]) for row in rows], [0.05, 0.05, 0.007, 0.007])
        self.assertEqual([row["to_node"] for row in rows], ["Rome, Italy", "Oslo", "Paris", "Rome, Italy"])
        used = {row["node"]: row["up_utilization"] for row in self.table("r2/agents.csv")}
        self.assertEqual([name for name, share in used.items() if share], ["Oslo"])

    def test_agents_are_known_by_the_names_of_their_nodes(self):
        self.write_peers({"/network": {"outages": [{"from_s": 0, "until_s": 1, "links": [["Oslo", "Romme, Italy"]]}],
                                       "interfaces": [{"agents": ["Pariss"], "up_bytes_per_s": 1000}],
                                       "partitions": [{"from_s": 0, "groups": [["Oslo"], [7]]}]},
                          "/participation": {"availability": [{"kind": "crash", "agent": "Berlin", "at_s": 1}]}})
        told = self.error_of("validate", "s.json")
        for part in ("interfaces/0/agents: expected the name of a node", "agents below 3, found 7", 'found "Berlin"',
                     "outages/0/links/0", '"Pariss"'):
            self.assertIn(part, told)
        self.write_peers({"/record": {"timeline": True}})
        self.succeeds("run", "s.json", "--out", "r", "--quiet")
        self.assertIn('"agent 1: Rome, Italy"', (self.folder / "r/timeline.json").read_text())
        self.assertIn("middle                   agent 1 (Rome, Italy)", self.succeeds("topology", "s.json"))

    def test_results_of_named_nodes_are_reported_and_exported(self):
        self.write_peers()
        self.succeeds("run", "s.json", "--out", "r", "--quiet")
        status, _, err = self.lagnet("report", "r", "-o", "page.html", "--quiet")
        self.assertTrue(status == 0 or "has no reports" in err, err)
        self.succeeds("retime", "r", "--set", "network.bandwidth_bytes_per_s=1e6", "--out", "r2", "--quiet")
        self.assertEqual(self.table("r2/agents.csv")[1]["node"], "Rome, Italy")

    def test_graphs_without_names_have_the_same_columns_as_ever(self):
        self.run_small("r")
        self.assertNotIn("node", self.table("r/agents.csv")[0])
        self.assertNotIn("from_node", self.table("r/links.csv")[0])

    def weighted(self, gossip, **files):
        self.write("e.csv", WEIGHTED)
        for name, text in files.items():
            self.write(f"{name}.csv", text)
        self.write("s.json", changed(PEERS, {"/topology": {"kind": "edge_list", "path": "e.csv", "gossip": gossip}}))

    def test_weights_of_edges_make_a_gossip_matrix_or_are_named_as_unused(self):
        self.weighted("lazy_metropolis")
        status, _, err = self.lagnet("run", "s.json", "--out", "plain")
        self.assertEqual(status, 0, err)
        self.assertIn("the weights of the edges are not used: extra mixes by topology.gossip, lazy_metropolis; "
                      "\"weights\" takes them", " ".join(err.split()))
        self.weighted("weights")
        self.succeeds("run", "s.json", "--out", "weighted", "--quiet")
        status, _, err = self.lagnet("run", "s.json", "--out", "weighted2")
        self.assertNotIn("not used", err)
        self.assertNotEqual(self.table("plain/progress.csv")[-1]["objective"],
                            self.table("weighted/progress.csv")[-1]["objective"])

    def test_a_gossip_matrix_of_ones_own_is_read_dense_named_or_sparse(self):
        # Metropolis' weights of a ring of four, in each form: the same iterates.
        third = 1 / 3
        row = [[third if (j - i) % 4 in (0, 1, 3) else 0 for j in range(4)] for i in range(4)]
        dense = "".join(",".join(map(repr, map(float, line))) + "\n" for line in row)
        named = "W,3,2,1,0\n" + "".join(f"{i}," + ",".join(repr(float(row[i][j])) for j in (3, 2, 1, 0)) + "\n"
                                        for i in range(4))
        sparse = "from,to,weight\n" + "".join(f"{i},{j},{third!r}\n" for i in range(4) for j in range(4)
                                              if i != j and row[i][j])
        objectives = set()
        for gossip, text in (("metropolis", ""), ({"path": "W.csv"}, dense), ({"path": "W.csv"}, named),
                             ({"path": "W.csv"}, sparse)):
            self.weighted(gossip, W=text)
            out = f"r{len(list(self.folder.glob('r*')))}"
            self.succeeds("run", "s.json", "--out", out, "--quiet")
            objectives.add(f"{float(self.table(out + '/progress.csv')[-1]['objective']):.9g}")
        self.assertEqual(len(objectives), 1, objectives)

    def test_errors_of_a_gossip_matrix_are_reported_by_entries(self):
        for text, told in (("0.5,0.5,0,0\n0.5,0.5,0,0\n0,0,0.5,0.5\n0,0,0.5,0.5\n", "a second eigenvalue below 1"),
                           ("0,0.5,0,0.5\n0.5,0,0.5,0\n0,0.5,0,0.5\n0.5,0,0.5,0\n", "a lowest eigenvalue above -1"),
                           ("from,to,weight\n0,2,0.25\n2,0,0.25\n",
                            "W(2,0): expected 0, since the graph has no such edge"),
                           ("from,to,weight\n0,1,0.25\n", "W(0,1): expected W(1,0), which is 0, found 0.25"),
                           ("1,0\n0,1\n", "expected 4 numbers, one an agent, found 2 fields"),
                           ("from,to,weight\n0,1,x\n", "W.csv:2: expected a finite number"),
                           ("from,to,weight\n0,9,0.1\n", "expected an agent, by its number or the name of its node"),
                           ("from,to,weight\n0,1,-0.1\n1,0,-0.1\n",
                            "a finite number that is not negative, found -0.1")):
            self.weighted({"path": "W.csv"}, W=text)
            err = self.error_of("validate", "s.json")
            self.assertIn("/topology/gossip", err)
            self.assertIn(told, err)
        self.weighted({"path": "W.csv"}, W="0.25,0.5,0,0.5\n0.5,0.5,0,0\n0,0,1,0\n0.5,0,0,0.5\n")
        self.assertIn("row 0 of W: expected the sum 1, found 1.25", self.error_of("run", "s.json", "--out", "r"))

    def test_the_first_field_of_a_latency_matrix_defines_its_numbers(self):
        def latency(corner, round_trip=None):
            self.write("m.csv", f"{corner},a,b\na,1,30\nb,30,1\n")
            latency_ms = {"kind": "matrix", "path": "m.csv"}
            if round_trip is not None:
                latency_ms["round_trip"] = round_trip
            self.write_small({"/network/latency_ms": latency_ms, "/topology/agents": 4})
            out = f"r{len(list(self.folder.glob('r*')))}"
            status, _, err = self.lagnet("run", "s.json", "--out", out)
            if status:
                self.assertEqual(status, 2, err)
                return " ".join(err.split())
            said = re.search("numbers were read as (one-way|round-trip)", " ".join(err.split()))
            return float(self.table(f"{out}/links.csv")[0]["latency_s"]) * 1e3, said and said[1]
        self.assertEqual(latency("round_trip_ms"), (15, None))
        self.assertEqual(latency("RTT_ms"), (15, None))
        self.assertEqual(latency("latency_ms"), (30, None))
        self.assertEqual(latency("one_way_ms", False), (30, None))
        self.assertEqual(latency("site", True), (15, "round-trip"))
        self.assertEqual(latency("site"), (30, "one-way"))
        self.assertRegex(latency("round_trip_ms", False),
                         "/network/latency_ms/round_trip: expected true, since the first field of .*m.csv is "
                         "round_trip_ms, found false")
        self.assertIn("expected false", latency("latency_ms", True))
        self.assertIn("latencies in ms", latency("latency_s"))

    def test_design_names_errors_of_a_latency_matrix(self):
        for text, told in (("ms,a,b,c\na,0,-5,1\nb,5,0,1\nc,1,1,0\n",
                            "m.csv:2: expected a latency from 0 to 1000000000 ms"),
                           ("ms,a,b,c\na,0,nan,1\nb,5,0,1\nc,1,1,0\n", "found \"nan\""),
                           ("ms,a,b,c\na,0,5\nb,5,0,1\nc,1,1,0\n", "a name and 3 latencies"),
                           ("ms,a,b,c\na,0,5,1\nd,5,0,1\nc,1,1,0\n", "a site of the header"),
                           ("", "a header of site names")):
            self.write("m.csv", text)
            for algorithm, topology in (("dgd", "ring"), ("fed_avg", "star")):
                self.write_small({"/network/latency_ms": {"kind": "matrix", "path": "m.csv"},
                                  "/problem/regularizer": {"kind": "none"},
                                  "/algorithm": {"kind": algorithm}, "/topology": {"kind": topology, "agents": 3}})
                err = self.error_of("design", "s.json", "-o", "d.json")
                self.assertIn(told, err)
                self.assertFalse((self.folder / "d.json").exists())

    def test_an_underlay_has_latencies_or_is_refused(self):
        self.write_small({"/algorithm": {"kind": "dgd"}, "/problem/regularizer": {"kind": "none"},
                          "/topology/agents": 3, "/network": {}})
        self.write("u.graphml", CITIES)
        status, _, err = self.lagnet("design", "s.json", "--underlay", "u.graphml", "-o", "d.json")
        self.assertEqual((status, err), (0, ""))
        table = (self.folder / "d.latency_ms.csv").read_text().splitlines()
        self.assertEqual(table, ['latency_ms,Oslo,"Rome, Italy",Paris', "Oslo,0,50,170", '"Rome, Italy",50,0,120',
                                 "Paris,170,120,0"])
        self.write("u.graphml", CITIES.replace("latency_ms", "LinkLabel"))
        err = self.error_of("design", "s.json", "--underlay", "u.graphml", "-o", "e.json")
        self.assertIn("edge (Oslo,Rome, Italy): expected a latency: latency_ms, rtt_ms or another name that topologies "
                      "know, found none", err)
        self.write("u.graphml", CITIES.replace("latency_ms", "weight"))
        status, _, err = self.lagnet("design", "s.json", "--underlay", "u.graphml", "-o", "f.json")
        self.assertEqual(status, 0, err)
        self.assertIn("weight was read as a latency in ms", " ".join(err.split()))
        self.write("u.graphml", CITIES.replace("latency_ms", "LinkSpeedRaw"))
        err = self.error_of("design", "s.json", "--underlay", "u.graphml", "-o", "g.json")
        self.assertIn("edge (Oslo,Rome, Italy): expected a latency", err)

    def test_sizes_are_refused_before_they_take_memory(self):
        """By the memory that was used at the most, as the system counts it."""
        def peak_mb(*command):
            with open(self.folder / "err.txt", "w+", encoding="utf-8") as err:
                process = subprocess.Popen([PROGRAM, *map(str, command)], cwd=self.folder, stdout=err, stderr=err)
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                err.seek(0)
                said = err.read()
            self.assertEqual(process.returncode, 2, (command, said))
            self.assertRegex(said, "/topology")
            return usage.ru_maxrss / 1024
        agents = 10**8
        for topology in ({"kind": "ring", "agents": agents}, {"kind": "star", "agents": agents},
                         {"kind": "path", "agents": agents}, {"kind": "lattice", "agents": agents},
                         {"kind": "random_regular", "agents": agents, "degree": 4},
                         {"kind": "erdos_renyi", "agents": agents, "probability": 1e-7},
                         {"kind": "directed_ring", "agents": agents},
                         {"kind": "sequence", "graphs": [{"kind": "ring", "agents": agents}]},
                         {"kind": "orient", "of": {"kind": "ring", "agents": agents}, "one_way": 0.5}):
            self.write_small({"/topology": topology})
            for command in (("validate", "s.json"), ("topology", "s.json"), ("estimate", "s.json"),
                            ("run", "s.json", "--out", "r"), ("design", "s.json", "-o", "d.json"),
                            ("sweep", "s.json", "--sweep", "seed=1,2", "--out", "r")):
                self.assertLess(peak_mb(*command, "--memory-budget-mib", 16000), 100, (topology, command))
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"s.json", "err.txt"})


if __name__ == "__main__":
    import unittest
    unittest.main()
