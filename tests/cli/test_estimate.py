"""`lagnet estimate`, and the estimate that a sweep prints before it starts."""

import json
import math
import signal
import subprocess

from support import PROGRAM, ROOT, Case

GOLDEN, EXAMPLES = ROOT / "scenarios" / "golden", ROOT / "scenarios" / "examples"
ENDLESS = 10**12


class Estimate(Case):
    def estimated(self, *arguments):
        status, out, err = self.lagnet("estimate", *arguments, "--json")
        self.assertEqual(status, 0, err)
        self.assertRegex(err, r"^(estimate: after [0-9]+ s at .*\n)*$")  # what a busy machine takes long for
        return json.loads(out)

    def summaries(self, folder):
        return [json.loads(path.read_text()) for path in sorted((self.folder / folder).rglob("summary.json"))]

    def files(self, folder):
        root = self.folder / folder
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    def begin(self, *arguments):
        """A command whose stderr is read while it runs."""
        run = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        return run

    def test_counts_are_those_of_the_summaries_for_every_golden_and_example(self):
        compared = 0
        for path in sorted([*GOLDEN.glob("*.json"), *EXAMPLES.glob("*.json")]):
            # Of a fleet, and of methods that solve problems with many samples, the first rounds are counted.
            if path.name.endswith(".golden.json") or path.name in ("fleet.json", "newton_over_the_ocean.json"):
                continue
            with self.subTest(path.name):
                short = ["--set", "/stop/rounds=60"] if path.parent == EXAMPLES else []
                self.assertIn(self.lagnet("run", path, "--out", "r", "--replace", "--quiet", *short)[0], (0, 1))
                found, runs = self.estimated(path, *short), self.summaries("r")
                self.assertEqual(found["runs"], len(runs))
                self.assertEqual(found["counted"], {"runs": len(runs), "to_the_last_round": len(runs)})
                self.assertTrue(math.isfinite(found["seconds"]) and found["seconds"] > 0)
                if any(run["status"] != "done" or run["stop"]["reason"] == "relative_error" for run in runs):
                    self.assertGreaterEqual(found["rounds"], sum(run["stop"]["round"] for run in runs))
                    continue
                compared += 1
                totals = {key: sum(run["totals"][name] for run in runs)
                          for key, name in (("messages", "messages_sent"), ("bytes", "bytes_sent"), ("flops", "flops"))}
                totals["rounds"] = sum(run["stop"]["round"] for run in runs)
                totals["events"] = sum(run["trace_events"] for run in runs)
                self.assertEqual({key: found[key] for key in totals}, totals)
        self.assertGreaterEqual(compared, 25)

    def test_a_long_run_is_counted_from_its_first_rounds(self):
        self.write_small({"/stop/rounds": 60000, "/record/every": 1000})
        self.succeeds("run", "s.json", "--out", "r", "--quiet")
        found, totals = self.estimated("s.json"), self.summaries("r")[0]["totals"]
        self.assertEqual(found["counted"]["to_the_last_round"], 0)
        self.assertEqual([found["messages"], found["bytes"], found["flops"]],
                         [totals["messages_sent"], totals["bytes_sent"], totals["flops"]])

    def test_people_get_a_table_and_how_it_was_found(self):
        self.write_small({"/sweep": {"/topology/agents": [3, 4]}})
        before = self.tree()
        out = self.succeeds("estimate", "s.json", "--jobs", "1", "--sweep", "network.latency_ms=1,2")
        self.assertEqual(self.tree(), before)
        lines = out.splitlines()
        self.assertEqual(lines[0], "s.json: 4 runs")
        self.assertEqual([line[2:19].strip() for line in lines[1:9]],
                         ["rounds", "messages", "simulated bytes", "flops", "events", "memory", "results on disk",
                          "this machine"])
        self.assertEqual(lines[1].split(), ["rounds", "48", "at", "most"])
        self.assertRegex(lines[8], "^  this machine     about [0-9a].* with 1 job$")
        self.assertEqual(lines[9], "Messages, bytes, flops and events are counted to the last round.")
        self.assertRegex(lines[10], "^Seconds are measured over [0-9]+ rounds of [1-4] runs?[.;]")
        self.assertEqual(self.succeeds("estimate", "s.json", "--quiet"), "")

    def test_a_tolerance_makes_upper_bounds_and_without_limit_no_time_is_known(self):
        self.write_small({"/stop/relative_error": 1e-3})
        self.assertTrue(self.estimated("s.json")["may_end_sooner"])
        self.assertIn("All are upper bounds: stop.relative_error or metric may end runs sooner.",
                      self.succeeds("estimate", "s.json"))
        found = self.estimated("s.json", "--set", 'stop={"relative_error": 1e-12}')
        self.assertEqual([found[key] for key in ("rounds", "messages", "result_bytes", "seconds")], 4 * [None])
        self.assertIn("No limit ends a run for certain, as stop.rounds does, so that nobody knows how long it takes.",
                      found["how"])

    def test_wrong_scenarios_are_refused_as_by_validate(self):
        for changes in ({"/sweep": {"/topology/agents": [3, 0]}}, {"/stopp": 3},
                        {"/partition": {"kind": "feature_blocks", "sizes": [1]}}):
            with self.subTest(changes):
                self.write_small(changes)
                validated = self.lagnet("validate", "s.json")
                self.assertEqual(validated[0], 2)
                self.assertEqual(self.lagnet("estimate", "s.json"), validated)
        status, out, err = self.lagnet("estimate", "none.json")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("none.json", err)
        self.assertEqual(set(self.tree()), {"s.json"})

    def test_a_long_sweep_says_what_it_takes_and_goes_on_and_resumed_what_is_left(self):
        self.write_small({"/record/every": 1000, "/sweep": {"/stop/rounds": [5, ENDLESS, ENDLESS]}})
        for runs, rounds in ((3, "2e+12"), (2, "2e+12")):
            run = self.begin("sweep", "s.json", "--out", "r", "--jobs", "1")
            said = run.stderr.readline()
            self.assertIn(f"{runs} runs of {rounds} rounds together: ", said)
            self.assertRegex(said, r": (about|no less than) [0-9]+ h [0-9]+ min with 1 job, "
                                   r"[0-9.]+ [a-zA-Z]+ of memory for the largest, [0-9.]+ [a-zA-Z]+ of results$")
            while not list((self.folder / "r.partial").glob("*.finished")):
                self.assertIsNone(run.poll())
            run.send_signal(signal.SIGINT)
            self.assertEqual(run.wait(), 130)

    def test_a_short_sweep_says_nothing_and_no_estimate_changes_a_byte(self):
        self.write_small({"/sweep": {"/topology/kind": ["ring", "complete"], "/seed": [1, 2]}, "/record/trace": True})
        out = self.succeeds("sweep", "s.json", "--out", "told")
        self.assertEqual(self.succeeds("sweep", "s.json", "--out", "quiet", "--quiet"), "")
        self.assertEqual(self.files("told"), self.files("quiet"))
        self.assertIn("results in told", out)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"s.json", "told", "quiet"})
