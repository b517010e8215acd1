"""`lagnet explain` and record.critical_path: what everybody waited for, and what doubling it gives."""

import json

from support import ROOT, Case, changed

EXAMPLES = ROOT / "scenarios" / "examples"

# The server sends 1 MB to each of two clients over 1 MB/s: the second one waits a second for the first. A round takes
# 1 s of queueing, 1 s of transfer, 50 ms of latency, 100 ms of work, and 50 ms of latency back.
STAR = {
    "lagnet": 1,
    "data": {"source": "gaussian_regression", "samples": 20, "features": 3},
    "topology": {"kind": "star", "agents": 3},
    "algorithm": {"kind": "distributed_proximal_gradient"},
    "stop": {"rounds": 10},
    "network": {"latency_ms": 50, "bandwidth_bytes_per_s": None, "model_bytes": 1e6,
                "interfaces": [{"agents": [0], "up_bytes_per_s": 1e6}]},
    "compute": {"update_ms": 100},
}
STAR_TEXT = """\
Everybody waited for queueing (45.5 %), transfer (45.5 %), computing (4.5 %) and
latency (4.5 %). It was the server's up-link (90.9 %), agent 2 (4.5 %) and the
link 0 -> 2 (2.3 %), and 1 more. The run took 22 s to round 10, the server the
last to report.

what              kind       time (s)   share
server's up-link  queueing         10  45.5 %
server's up-link  transfer         10  45.5 %
agent 2           computing         1   4.5 %
link 0 -> 2       latency         0.5   2.3 %
link 2 -> 0       latency         0.5   2.3 %

twice as fast                                    saves (s)  sooner
the server's up-link to 16 Mbit/s                       10  45.5 %
agent 2 in half the time                               0.5   2.3 %
latency between the server and agent 2 to 25 ms        0.5   2.3 %
"""

# Agent 2 works for 200 ms a round, the others for 10 ms. The last to report is a neighbor that gets its last message.
# Its other neighbor does so at the same time, so that a shorter link to one of them changes nothing.
RING = {
    "lagnet": 1,
    "data": {"source": "gaussian_regression", "samples": 20, "features": 3},
    "topology": {"kind": "ring", "agents": 4},
    "algorithm": {"kind": "dgd", "step": 0.1},
    "stop": {"rounds": 10},
    "network": {"latency_ms": 5, "bandwidth_bytes_per_s": None},
    "compute": {"update_ms": [10, 10, 200, 10]},
}
RING_TEXT = """\
Everybody waited for computing (99.8 %) and latency (0.2 %). It was agent 2
(99.8 %) and the link 2 -> 3 (0.2 %). The run took 2.005 s to round 10, agent 3
the last to report.

what         kind       time (s)   share
agent 2      computing         2  99.8 %
link 2 -> 3  latency       0.005   0.2 %

twice as fast                                  saves (s)   sooner
agent 2 in half the time                               1   49.9 %
latency between agent 2 and agent 3 to 2.5 ms             nothing
"""


class Explain(Case):
    def run_it(self, document, out="r", *arguments):
        self.write(f"{out}.json", document)
        self.succeeds("run", f"{out}.json", "--out", out, "--quiet", *arguments)

    def explained(self, run):
        return json.loads(self.succeeds("explain", run, "--json", "--quiet"))

    def check_times(self, run):
        """Retiming with the keys that it names gives the times that it says."""
        found = self.explained(run)
        for one in found["others"]:
            keys = [word for key, value in one["set"].items() for word in ("--set", f"{key}={json.dumps(value)}")]
            self.succeeds("retime", run, "--out", "other", "--replace", "--quiet", *keys)
            retimed = json.loads((self.folder / "other" / "summary.json").read_text())["stop"]["simulated_s"]
            self.assertAlmostEqual(found["until_s"] - retimed, one["sooner_s"], 9, one["what"])
        return found

    def test_a_narrow_up_link_of_the_server_has_its_queue_and_its_transfers(self):
        self.run_it(STAR)
        self.assertEqual(self.succeeds("explain", "r"), STAR_TEXT)
        self.check_times("r")

    def test_one_slow_agent_in_a_ring_is_all_but_one_latency(self):
        self.run_it(RING)
        self.assertEqual(self.succeeds("explain", "r"), RING_TEXT)
        self.check_times("r")

    def test_a_long_link_is_waited_for_in_both_directions(self):
        self.run_it(changed(RING, {"/network/links": [{"links": [[1, 2]], "latency_ms": 500}], "/compute": {}}))
        found = self.check_times("r")
        self.assertEqual([(one["what"], one["kind"], one["time_s"]) for one in found["parts"][:2]],
                         [("link 1 -> 2", "latency", 2.5), ("link 2 -> 1", "latency", 2.5)])
        self.assertAlmostEqual(found["others"][0]["sooner_s"], 2.5, 6)

    def test_the_key_writes_the_table_and_a_part_of_the_summary(self):
        self.run_it(RING, "with", "--set", "record.critical_path=true")
        self.assertEqual((self.folder / "with" / "critical_path.csv").read_text(),
                         f"what,kind,time_s,share\nagent 2,computing,2.0,{2 / 2.005}\n"
                         f"link 2 -> 3,latency,0.005,{0.005 / 2.005}\n")
        summary = json.loads((self.folder / "with" / "summary.json").read_text())
        self.assertEqual(summary.pop("critical_path"), {
            "until_s": 2.005, "last_to_report": "agent 3",
            "share_by_kind": {"computing": 2 / 2.005, "latency": 0.005 / 2.005},
            "longest": [{"what": "agent 2", "kind": "computing", "time_s": 2.0, "share": 2 / 2.005},
                        {"what": "link 2 -> 3", "kind": "latency", "time_s": 0.005, "share": 0.005 / 2.005}]})
        self.run_it(RING, "without")
        self.assertFalse((self.folder / "without" / "critical_path.csv").exists())
        without = json.loads((self.folder / "without" / "summary.json").read_text())
        for one in (summary, without):
            del one["scenario_crc32"]
        self.assertEqual(summary, without)

    def test_compare_has_a_table_of_the_runs_that_recorded_it(self):
        for name, update_ms in (("with", RING["compute"]["update_ms"]), ("faster", 10)):
            self.run_it(changed(RING, {"/label": name, "/compute/update_ms": update_ms, "/record": {
                "critical_path": True}}), name)
        self.run_it(RING, "without", "--set", "network.latency_ms=6")
        out = self.succeeds("compare", "with", "faster", "without", "--table", "waits", "--format", "csv")
        self.assertEqual(out, f"series,runs,kind,share\n"
                              f"with,1,computing,{2 / 2.005}\nwith,1,latency,{0.005 / 2.005}\n"
                              f"faster,1,computing,{0.1 / 0.15}\nfaster,1,latency,{0.05 / 0.15}\n")
        status, out, err = self.lagnet("compare", "without", "--table", "waits")
        self.assertEqual((status, out, err),
                         (2, "", "compare: --table: waits exists only for runs with record.critical_path\n"))
        self.assertNotIn("waits", json.loads(self.succeeds("compare", "without", "--json")))

    def test_the_readme_shows_what_it_prints(self):
        page = (ROOT / "tools/README.md").read_text(encoding="utf-8")
        section = page.split("## Why is it slow?\n")[1].split("\n## ")[0]
        run, explain, *shown = [line[4:] for line in section.splitlines() if line.startswith("    ") and line.strip()]
        self.succeeds("run", EXAMPLES / "quickstart.json", *run.split()[3:], "--quiet")
        printed = [line for line in self.lagnet(*explain.split()[1:])[1].splitlines() if line]
        dots = shown.index("...")
        self.assertEqual(printed[:dots], shown[:dots])
        self.assertEqual(printed[-len(shown[dots + 1:]):], shown[dots + 1:])

    def test_in_every_example_the_parts_add_up_to_the_time_of_the_run(self):
        runs = 0
        for path in sorted(EXAMPLES.glob("*.json")):
            with self.subTest(path.name):
                rounds = ["--set", "stop.rounds=3"] if path.name == "fleet.json" else []
                self.lagnet("run", path, "--out", path.stem, "--quiet", "--set", "record.critical_path=true", *rounds)
                for folder in sorted((self.folder / path.stem).rglob("critical_path.csv")):
                    stop = json.loads((folder.parent / "summary.json").read_text())["stop"]
                    rows = self.table(folder)
                    self.assertAlmostEqual(sum(float(row["time_s"]) for row in rows), stop["simulated_s"], 6)
                    self.assertTrue(all(float(row["time_s"]) > 0 for row in rows))
                    runs += 1
        self.assertGreater(runs, 20)

    def test_a_run_that_ends_by_time_is_explained_up_to_its_last_round(self):
        self.run_it(changed(RING, {"/stop": {"simulated_s": 1.1}}))
        found = self.check_rounds("r")
        self.assertEqual((found["round"], found["until_s"]), (5, 1.005))

    def check_rounds(self, run):
        found = self.explained(run)
        self.assertAlmostEqual(sum(one["time_s"] for one in found["parts"]), found["until_s"], 9)
        return found

    def test_a_run_without_numbers_is_explained_as_one_with_them(self):
        self.run_it(RING, "on")
        self.run_it(RING, "off", "--set", "numerics=off")
        on, off = self.explained("on"), self.explained("off")
        del on["folder"], off["folder"]
        self.assertEqual(on, off)

    def test_where_values_depend_on_times_it_says_why_nothing_else_is_tried(self):
        self.run_it(changed(STAR, {"/algorithm": {"kind": "fed_async", "client_step": 0.1}, "/stop": {"updates": 30}}))
        out = self.succeeds("explain", "r")
        self.assertTrue(out.endswith("\n\nlagnet tries nothing faster: algorithm.kind: fed_async computes what depends "
                                     "on\nwhen messages come\n"), out)
        self.assertEqual(self.check_rounds("r")["others"], [])

    def test_other_folders_are_refused(self):
        self.run_it(changed(RING, {"/sweep": {"/seed": [1, 2]}}))
        for folder, found in (("r", "that of a sweep: name one of its points"), ("none", "nothing"),
                              ("r.json", "something else")):
            status, out, err = self.lagnet("explain", folder)
            self.assertEqual((status, out, err), (2, "", f"{folder}: expected the folder of a run, found {found}\n"))
        self.succeeds("explain", "r/000")

    def test_a_run_of_other_data_is_refused(self):
        self.write("d.csv", "a,b\n1,2\n2,3\n3,1\n4,4\n")
        self.run_it(changed(RING, {"/data": {"source": "csv", "path": "d.csv"}}))
        self.write("d.csv", "a,b\n1,2\n2,3\n3,1\n4,5\n")
        status, out, err = self.lagnet("explain", "r")
        self.assertEqual((status, out), (2, ""), err)
        self.assertIn("d.csv", err)
