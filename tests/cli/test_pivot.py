"""`lagnet compare --by`, `--where` and `--baseline KEY=VALUE`: questions of users, each answered by one command."""

import csv
import io
import json
import re
import unittest

from support import ROOT, Case

HEART = ROOT / "scenarios/data/sets/heart_scale.libsvm"


class Pivot(Case):
    """At which latency a complete graph of 16 agents pays off against a lattice, if interfaces are shared."""

    LATENCIES = [10, 50, 100, 200]

    def setUp(self):
        super().setUp()
        self.write("c.json", {
            "lagnet": 1, "data": {"source": "libsvm", "path": str(HEART), "scaling": "standardize"},
            "problem": {"loss": {"kind": "logistic"}, "regularizer": {"kind": "l2", "weight": 0.01}},
            "topology": {"kind": "complete", "agents": 16},
            "network": {"up_bytes_per_s": 1.25e5, "down_bytes_per_s": 1.25e5, "sharing": "fifo"},
            "compute": {"speed_flops_per_s": 1e9}, "algorithm": {"kind": "fd_primal_dual"},
            "stop": {"rounds": 1500, "relative_error": 3e-2},
            "sweep": {"/topology/kind": ["complete", "lattice"], "/network/latency_ms": self.LATENCIES}})
        self.succeeds("run", "c.json", "--out", "c", "--quiet")

    def seconds(self, kind, latency):
        """Until the level is reached, from the run's own file."""
        point = ["complete", "lattice"].index(kind) * len(self.LATENCIES) + self.LATENCIES.index(latency)
        rows = self.table(f"c/{point:03}/progress.csv")
        return next(float(row["simulated_s"]) for row in rows if float(row["relative_error"]) <= 3e-2)

    def test_the_latency_where_one_graph_overtakes_the_other(self):
        document = json.loads(self.succeeds("compare", "c", "--by", "network.latency_ms", "--to", "3e-2", "--json"))
        for row in document["pivot"]:
            self.assertEqual(row["median"], self.seconds(row["series"], int(row["latency_ms"])))
            is_first = row["series"] == ("lattice" if int(row["latency_ms"]) < 139 else "complete")
            self.assertEqual(row["winner"], "yes" if is_first else "no")
        self.assertEqual(len(document["pivot"]), 8)
        # From 50 ms on time is affine in the latency, so two latencies give the line of each graph. At 10 ms messages
        # of agents that are ahead meet those of others at the interfaces of a lattice.
        line = {}
        for kind in ("complete", "lattice"):
            low, high = self.seconds(kind, 50), self.seconds(kind, 200)
            line[kind] = ((high - low) / 150, low - 50 * (high - low) / 150)
        crossing = (line["complete"][1] - line["lattice"][1]) / (line["lattice"][0] - line["complete"][0])
        (swap,) = document["swaps"]
        self.assertEqual((swap["below"], swap["above"]), ("lattice", "complete"))
        # 1e-6: nanoseconds of rounding in some hundred rounds, divided by a difference of slopes of 0.5.
        self.assertAlmostEqual(swap["latency_ms"], crossing, delta=1e-6 * crossing)
        self.assertEqual(round(crossing), 139)
        text = self.succeeds("compare", "c", "--by", "network/latency_ms", "--to", "3e-2")
        self.assertIn("crossing at latency_ms = 139 (to 3e-2, 208 s): below it lattice, above it complete", text)

    def test_a_swept_latency_is_a_condition_at_each_value_of_which_runs_are_compared(self):
        text = self.succeeds("compare", "c", "--to", "3e-2,1e-9")
        self.assertIn("to 3e-2: lattice at latency_ms = 10 .. 100", text)
        self.assertRegex(text, r"complete at 200 \(1\.\d+ times sooner\)\n")
        self.assertIn("crossing at latency_ms = 139 (to 3e-2, 208 s): below it lattice, above it complete", text)
        self.assertRegex(text, r"no run reached 1e-9 in \d+ rounds: .* at best")
        # Every number of a pivot that is asked for is there without asking.
        asked = json.loads(self.succeeds("compare", "c", "--by", "network.latency_ms", "--to", "3e-2", "--json"))
        found = json.loads(self.succeeds("compare", "c", "--to", "3e-2", "--json"))
        self.assertEqual(found["pivot"], asked["pivot"])
        self.assertEqual(found["swaps"], asked["swaps"])
        one = self.succeeds("compare", "c", "--where", "topology.kind=lattice", "--by", "network.latency_ms")
        self.assertNotIn("winner", one)
        # A series that is alone at each latency has none to be compared with.
        alone = self.succeeds("compare", "c", "--where", "topology.kind=lattice", "--to", "3e-2")
        self.assertNotIn("Compared at each", alone)

    def test_where_keeps_the_runs_that_have_the_value(self):
        document = json.loads(self.succeeds("compare", "c", "--where", "/network/latency_ms=50",
                                            "--where", "topology.kind=lattice", "--json"))
        self.assertEqual([row["runs"] for row in document["series"]], [1])
        for wrong, why in (("latency_ms=50", "where: expected a key that a run has, found /latency_ms"),
                           ("network.latency_ms=7", "found none: there are 10, 50, 100, 200"),
                           ("network.latency_ms", "where: expected KEY=VALUE such as topology.agents=16")):
            status, out, err = self.lagnet("compare", "c", "--where", wrong)
            self.assertEqual((status, out), (2, ""))
            self.assertIn(why, err)

    def test_of_many_values_the_nearest_are_listed(self):
        """The hint for a mistyped value does not need every file of 100,000 points."""
        scenario = json.loads((self.folder / "c.json").read_text(encoding="utf-8"))
        scenario.update(stop={"rounds": 1}, sweep={"/network/latency_ms": list(range(1, 31))})
        self.write("many.json", scenario)
        self.succeeds("run", "many.json", "--out", "many", "--quiet")
        (self.folder / "many/007/progress.csv").unlink()
        for wrong, why in ((20.5, "16, 17, 18, 19, 20, 21, 22, 23, 24, 25 and 20 others"),
                           ("fast", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 20 others")):
            status, out, err = self.lagnet("compare", "many", "--where", f"network.latency_ms={wrong}")
            self.assertEqual((status, out), (2, ""))
            self.assertEqual(err.strip(), f"where: expected a run with network.latency_ms={wrong}, found none: "
                                          f"there are {why}")

    def test_nothing_is_a_value_and_objects_are_listed_by_their_kinds(self):
        scenario = json.loads((self.folder / "c.json").read_text(encoding="utf-8"))
        scenario.update(stop={"rounds": 1}, sweep={"/network/up_bytes_per_s": [None, 1000], "/topology/agents": [4, 9]})
        self.write("few.json", scenario)
        self.succeeds("run", "few.json", "--out", "few", "--quiet")
        document = json.loads(self.succeeds("compare", "few", "--where", "network.up_bytes_per_s=null", "--json"))
        self.assertEqual(len(document["folders"]), 2)
        for wrong, why in (("network.no_such=null", "where: expected a key that a run has, found /network/no_such"),
                           ("topology=lattice", "found none: there are complete\n"),
                           ("network.up_bytes_per_s=7", "found none: there are 1000, null\n")):
            status, out, err = self.lagnet("compare", "few", "--where", wrong)
            self.assertEqual((status, out), (2, ""))
            self.assertIn(why, err)

    def test_files_of_points_that_are_not_selected_are_not_read(self):
        """Of 100,000 points a few are compared at once, and a damaged one is no matter unless it is selected."""
        damaged = self.folder / "c/000/progress.csv"  # complete, 10 ms
        damaged.write_text("round\n", encoding="utf-8")
        for wanted, runs in (("topology.kind=lattice", 4), ("network.latency_ms=100", 2)):
            document = json.loads(self.succeeds("compare", "c", "--where", wanted, "--json"))
            self.assertEqual(len(document["folders"]), runs)
            told = json.loads(self.succeeds("report", "c", "--where", wanted, "-o", f"{runs}.html", "--json"))
            self.assertEqual(told["runs"], runs)
        for selection in ([], ["--where", "network.latency_ms=10"], ["--where", "algorithm.kind=fd_primal_dual"]):
            status, out, err = self.lagnet("compare", "c", *selection)
            self.assertEqual((status, out), (2, ""))
            self.assertIn("c/000/progress.csv", err)

    def test_a_selection_is_named_by_the_differences_of_its_runs(self):
        document = json.loads(self.succeeds("compare", "c", "--where", "topology.kind=lattice", "--json"))
        self.assertEqual([row["series"] for row in document["series"]],
                         [f"latency_ms={latency}" for latency in self.LATENCIES])

    def test_runs_that_differ_in_two_keys_are_not_paired_by_accident(self):
        document = json.loads(self.succeeds("compare", "c", "--json"))
        pairs = {(row["series"], row["baseline"]) for row in document["paired"]}
        base = "complete latency_ms=10"
        self.assertEqual(pairs, {(f"complete latency_ms={latency}", base) for latency in self.LATENCIES[1:]} |
                         {("lattice latency_ms=10", base)})
        for row in document["crossings"]:
            one, other = row["first"].split(" "), row["second"].split(" ")
            self.assertTrue(one[0] == other[0] or one[1] == other[1], row)
        text = self.succeeds("compare", "c")
        self.assertIn("; 3 series that differ from it in more than one swept key are left out", text)
        self.assertIn("; 12 pairs that differ in more than one swept key are left out", text)

    def test_each_series_against_its_own_baseline(self):
        document = json.loads(self.succeeds("compare", "c", "--baseline", "network.latency_ms=10", "--json"))
        self.assertEqual({(row["series"], row["baseline"]) for row in document["paired"]},
                         {(f"{kind} latency_ms={latency}", f"{kind} latency_ms=10")
                          for kind in ("complete", "lattice") for latency in self.LATENCIES[1:]})
        # The answer is what each pays more than its own baseline, as the table has it.
        text = self.succeeds("compare", "c", "--baseline", "network.latency_ms=10", "--to", "3e-2")
        self.assertIn("Compared with network.latency_ms=10.\n  To 3e-2: ", text)
        for kind in ("complete", "lattice"):
            times = self.seconds(kind, 200) / self.seconds(kind, 10)
            self.assertIn(f"{kind} latency_ms=200 {times:.3g} times as long as {kind} latency_ms=10 (one seed", text)
        status, out, err = self.lagnet("compare", "c", "--baseline", "topology.agents=16")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("baseline: expected a series with /topology/agents = 16 and one that is the same but for it", err)


class Labels(Case):
    def test_the_label_of_a_point_is_its_name_everywhere(self):
        points = [{"label": "small ring", "/topology/kind": "ring", "/topology/agents": 4},
                  {"label": "star of five", "/topology/kind": "star", "/topology/agents": 5}]
        self.run_small("r", {"/sweep": {"points": points, "/seed": [1, 2]}})
        self.assertEqual([row["label"] for row in self.table("r/sweep.csv")],
                         ["small ring", "small ring", "star of five", "star of five"])
        self.assertEqual(json.loads((self.folder / "r/000/scenario.json").read_text())["label"], "small ring")
        document = json.loads(self.succeeds("compare", "r", "--json"))
        self.assertEqual([row["series"] for row in document["series"]], ["small ring", "star of five"])
        rows = list(csv.DictReader(io.StringIO(self.succeeds("compare", "r", "--format", "csv", "--table", "runs"))))
        self.assertEqual([(row["folder"], row["series"], row["seed"], row["topology"], row["agents"]) for row in rows],
                         [("r/000", "small ring", "1", "ring", "4"), ("r/001", "small ring", "2", "ring", "4"),
                          ("r/002", "star of five", "1", "star", "5"), ("r/003", "star of five", "2", "star", "5")])
        for row in rows:
            progress = self.table(f"{row['folder']}/progress.csv")
            there = [line["simulated_s"] for line in progress if float(line["relative_error"]) <= 1e-1]
            self.assertEqual(row.get("to_1e-1_s", ""), there[0] if there else "")
        self.succeeds("report", "r", "--quiet")
        model = json.loads(re.search('id="model">(.*?)</script>', (self.folder / "report.html").read_text(), re.S)[1])
        self.assertEqual([group["label"] for group in model["groups"]], ["small ring", "star of five"])
        self.assertEqual(model["runs"][3]["label"], "star of five seed=2")


if __name__ == "__main__":
    unittest.main()
