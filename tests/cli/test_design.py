"""`lagnet design` proposes topologies, prints how long a round takes on each, and writes a sweep over them."""

import json

from support import ROOT, Case, changed, without_comments

REGIONS = {
    "lagnet": 1,
    "name": "peers",
    "data": {"source": "gaussian_regression", "samples": 100, "features": 7},
    "problem": {"loss": {"kind": "squared"}, "regularizer": {"kind": "l2", "weight": 0.01}},
    "topology": {"kind": "ring", "agents": 10},
    "network": {"latency_ms": {"kind": "matrix", "path": str(ROOT / "scenarios/data/latency/regions.csv"),
                               "round_trip": True}},
    "compute": {"speed_flops_per_s": 1e6},
    "algorithm": {"kind": "dgd"},
    "stop": {"rounds": 120},
    "record": {"every": 20},
}
UNDERLAY = """<graphml><key id="w" for="edge" attr.name="latency_ms" attr.type="double"/>
<graph edgedefault="undirected">
<node id="n0"/><node id="n1"/><node id="n2"/><node id="n3"/>
<edge source="n0" target="n1"><data key="w">5</data></edge><edge source="n1" target="n2"><data key="w">7</data></edge>
<edge source="n2" target="n3"><data key="w">20</data></edge><edge source="n3" target="n0"><data key="w">9</data></edge>
</graph></graphml>"""


class Design(Case):
    def write_regions(self, changes=None):
        return self.write("s.json", changed(REGIONS, changes or {}))

    def designed(self, *arguments):
        """The points by their labels, in their order."""
        told = json.loads(self.succeeds("design", "s.json", "--json", *arguments))
        return {point["label"]: point for point in told["points"]}

    def test_cycle_times_are_simulated_seconds_a_round(self):
        self.write_regions()
        points = self.designed("-o", "d.json")
        self.succeeds("run", "d.json", "--out", "r", "--quiet", "--set", "/stop/rounds=4000")
        rows = self.table("r/sweep.csv")
        self.assertEqual([row["label"] for row in rows], list(points))
        for row in rows:
            point = points[row["label"]]
            self.assertTrue(point["prediction_exact"])
            self.assertEqual(20 % point["period_rounds"], 0)
            at = {int(one["round"]): float(one["simulated_s"]) for one in self.table(f"r/{row['folder']}/progress.csv")}
            taken = (at[4000] - at[3980]) / 20
            for key in ("cycle_s", "predicted_cycle_s"):
                self.assertLess(abs(point[key] - taken), 1e-9 * taken, row["label"])

    def test_tree_and_ring_are_before_the_star(self):
        self.write_regions()
        told = self.succeeds("design", "s.json").splitlines()
        self.assertEqual(told[-1], "design-s.json: written; next: lagnet run design-s.json")
        order = [line.split("  ")[0] for line in told[1:-1]]
        self.assertLess(order.index("minimum spanning tree"), order.index("star at mumbai"))
        self.assertLess(order.index("short ring"), order.index("star at mumbai"))
        self.assertIn(" *0.0560", told[1])
        self.assertLessEqual(max(map(len, told)), 80)
        self.assertEqual(self.succeeds("design", "s.json").splitlines(), told)  # the same again

    def test_the_readme_shows_the_printed_output(self):
        page = (ROOT / "tools/README.md").read_text(encoding="utf-8")
        section = page.split("## Which topology for these latencies\n", 1)[1].split("\n## ", 1)[0]
        shown = [line[4:] for line in section.splitlines() if line.startswith("    ")]
        command, _, *lines = shown
        (self.folder / "scenarios").symlink_to(ROOT / "scenarios")
        (self.folder / "runs").mkdir()
        printed = self.succeeds(*command.split()[1:]).splitlines()
        self.assertGreater(len(lines), 5)
        for line in lines:
            if line != "...":
                self.assertIn(line, printed)

    def test_the_sweep_is_retimed_and_reported(self):
        self.write_regions({"/sweep": {"/seed": [3, 4]}})
        self.designed("-o", "sub.json")
        written = json.loads(without_comments((self.folder / "sub.json").read_text()))
        self.assertEqual(written["sweep"]["/seed"], [3, 4])
        self.succeeds("run", "sub.json", "--out", "r", "--quiet", "--set", "/stop/rounds=6")
        self.succeeds("retime", "r", "--set", "network.latency_ms=3", "--out", "r2", "--quiet")
        self.assertEqual(len(self.table("r2/sweep.csv")), 2 * len(written["sweep"]["points"]))
        status, _, err = self.lagnet("report", "r", "-o", "page.html", "--quiet")
        self.assertTrue(status == 0 or "has no reports" in err, err)

    def test_an_underlay_is_routed(self):
        self.write_regions({"/topology/agents": 4, "/network": {}})
        (self.folder / "sub").mkdir()
        self.write("u.graphml", UNDERLAY)
        self.designed("--underlay", "u.graphml", "-o", "sub/d.json")
        table = (self.folder / "sub/d.latency_ms.csv").read_text().splitlines()
        self.assertEqual(table, ["latency_ms,n0,n1,n2,n3",
                                 "n0,0,5,12,9", "n1,5,0,7,14", "n2,12,7,0,20", "n3,9,14,20,0"])
        written = json.loads(without_comments((self.folder / "sub/d.json").read_text()))
        self.assertEqual(written["network"]["latency_ms"], {"kind": "matrix", "path": "d.latency_ms.csv"})
        tree = next(point for point in written["sweep"]["points"] if point["label"] == "minimum spanning tree")
        self.assertEqual(tree["/topology"]["edges"], [[0, 1], [0, 3], [1, 2]])
        self.succeeds("validate", "sub/d.json")
        self.write("apart.graphml", UNDERLAY.replace('<edge source="n3"', '<node id="n4"/><edge source="n3"'))
        self.assertEqual(self.lagnet("design", "s.json", "--underlay", "apart.graphml", "-o", "other.json")[::2],
                         (2, "design: --underlay: expected a connected graph, found 2 components\n"))

    def test_a_server_is_placed(self):
        self.write_regions({"/topology": {"kind": "star", "agents": 11}, "/algorithm/kind": "fed_avg"})
        points = self.designed("-o", "d.json")
        self.assertEqual(len(points), 10)
        self.assertEqual(next(iter(points)), "server in mumbai")
        self.succeeds("run", "d.json", "--out", "r", "--quiet", "--set", "/stop/rounds=3")

    def test_nothing_is_written_where_something_is_wrong_or_there(self):
        self.write_regions()
        self.write("there.json", "mine")
        self.write("u.graphml", UNDERLAY)
        before = self.tree()
        for arguments, said in (
                (["-o", "there.json"], "design: expected a new file, found there.json, which is left as it is\n"),
                (["--set", "algorithm.kind=cocoa_plus"], "an algorithm that offers timing with numerics off"),
                (["--degree", "100"], "--degree: expected less than the 10 agents, found 100"),
                (["--underlay", "none.graphml"],
                 "design: --underlay: none.graphml: expected a file that can be read, found none\n"),
                (["--underlay", "u.graphml", "--set", "topology.agents=2"], "expected 3 to 1000 agents, found 2\n"),
                (["--set", "network.latency_ms=5", "--set", "algorithm.kind=fed_avg", "--set", "topology.kind=star"],
                 "only its place can be chosen")):
            status, out, err = self.lagnet("design", "s.json", *arguments)
            self.assertEqual((status, out), (2, ""), err)
            self.assertIn(said, " ".join(err.split()) + "\n")
        self.assertEqual(self.tree(), before)

    def test_links_that_go_one_way_are_refused(self):
        self.write_regions({"/topology": {"kind": "directed_ring", "agents": 10}, "/algorithm": {"kind": "push_sum"}})
        self.assertEqual(self.lagnet("design", "s.json"), (2, "", (
            "s.json: /topology: expected links that go both ways, as all proposed topologies have, found a "
            "directed one\n")))
