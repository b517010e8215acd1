"""`lagnet run --jobs`: points of a sweep give the same results in parallel as one after the other."""

import json
import os
import shutil
import signal
import subprocess
import time

from support import PROGRAM, Case, changed, SMALL

SWEEP = {"/sweep": {"/topology/kind": ["ring", "star", "complete"], "/data/samples": [20, 30], "/seed": [1, 2]},
         "/record/trace": True}


class Sweep(Case):
    def files(self, folder):
        root = self.folder / folder
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    def run_jobs(self, jobs, *arguments):
        """Exit status, stdout, stderr and files; earlier results are removed."""
        shutil.rmtree(self.folder / "r", ignore_errors=True)
        outcome = self.lagnet("run", "s.json", "--out", "r", "--jobs", jobs, *arguments)
        return *outcome, self.files("r")

    def test_any_number_of_jobs_and_any_budget_give_the_same_bytes_and_lines(self):
        self.write_small(SWEEP)
        one = self.run_jobs(1)
        self.assertEqual(one[0], 0)
        self.assertEqual(len(one[1].splitlines()), 14)
        self.assertEqual(len(one[3]), 12 * 7 + 4)
        for arguments in ((2,), (4,), (4, "--memory-budget-mib", 1), (2, "--threads", 2)):
            self.assertEqual(self.run_jobs(*arguments), one, arguments)
        self.assertEqual(self.succeeds("replay", "r", "--jobs", 3), "r: the same, byte for byte\n")

    def test_keys_can_be_swept_from_the_command_line(self):
        self.write_small()
        out = self.succeeds("sweep", "s.json", "--out", "r", "--sweep", "topology.agents=3,4", "--sweep",
                            "topology.kind=ring,star")
        self.assertEqual(len(out.splitlines()), 6)
        self.assertEqual([(row["agents"], row["topology"]) for row in self.table("r/sweep.csv")],
                         [("3", "ring"), ("3", "star"), ("4", "ring"), ("4", "star")])
        self.assertEqual(self.lagnet("sweep", "s.json", "--sweep", "topology.agents"),
                         (2, "", "--sweep: expected a key and its values, as in topology.agents=4,9,16\n"
                                 "Run with --help for more information.\n"))

    def test_json_lists_the_runs_in_the_order_of_the_points(self):
        self.write_small(SWEEP)
        one = self.run_jobs(1, "--json")
        self.assertEqual(len(json.loads(one[1])["runs"]), 12)
        self.assertEqual(self.run_jobs(4, "--json"), one)

    def test_a_point_that_diverges_fails_the_sweep_and_stops_no_other(self):
        steps = [None, 1e150, None, 1e150]
        self.write_small({"/algorithm/sigma": 1, "/algorithm/tau": 1e-3, "/stop/rounds": 60,
                          "/sweep": {"/algorithm/sigma": [1, 1e150, 2, 1e150]}})
        one = self.run_jobs(1)
        self.assertEqual(one[0], 1)
        stops = [row["stop"] for row in self.table("r/sweep.csv")]
        self.assertEqual([stop == "diverged" for stop in stops], [step is not None for step in steps])
        for jobs in (2, 4):
            more = self.run_jobs(jobs)
            self.assertEqual((more[0], more[1], more[3]), (one[0], one[1], one[3]))
            self.assertEqual(self.warnings(more[2]), self.warnings(one[2]))

    def test_a_warning_of_many_points_is_printed_once_and_counted(self):
        steps = {"/algorithm/sigma": 0.05, "/algorithm/tau": 100, "/stop/rounds": 2}  # told at the start
        minimizer = {"/algorithm/sigma": 0.1, "/algorithm/tau": 0.1, "/problem/regularizer/weight": 1000}  # at the end
        for changes, why in ((steps, "convergence is not guaranteed"), (minimizer, "the start is a minimizer")):
            self.write_small(changes | {"/sweep": {"/network/latency_ms": [1, 2, 3, 4, 5, 6]}})
            for jobs in (1, 3):
                lines = self.run_jobs(jobs)[2].splitlines()
                self.assertEqual(len(lines), 2, lines)
                label, text = lines[0].split(": ", 1)
                self.assertRegex(label, r"^[1-6]/6 /network/latency_ms=[1-6]$")
                self.assertIn(why, text)
                self.assertEqual(lines[1], f"5 more points: {text}")
            self.assertEqual(self.lagnet("run", "s.json", "--quiet", "--out", "q", "--replace")[2], "")

    def test_a_warning_with_other_numbers_is_counted_too(self):
        self.write_small({"/topology/kind": "complete", "/network": {"latency_ms": 2, "bandwidth_bytes_per_s": 1e5},
                          "/sweep": {"/topology/agents": [4, 5, 6]}})
        lines = self.run_jobs(1)[2].splitlines()
        self.assertEqual(len(lines), 2, lines)
        label, text = lines[0].split(": ", 1)
        self.assertEqual(label, "1/3 /topology/agents=4")
        self.assertRegex(text, "^warning: .* up to 3 neighbors ")
        self.assertEqual(lines[1], f"2 more points: {text.replace('warning', 'warning, with other numbers', 1)}")
        self.assertEqual(len(self.run_jobs(1, "--verbose")[2].splitlines()), 3)

    def test_each_warning_of_a_summary_has_a_code_and_its_numbers(self):
        self.write_small({"/topology/kind": "complete", "/network": {"latency_ms": 2, "bandwidth_bytes_per_s": 1e5}})
        told = self.lagnet("run", "s.json", "--out", "r")[2]
        warning, = json.loads((self.folder / "r/summary.json").read_text(encoding="utf-8"))["warnings"]
        self.assertEqual(told, f"run: warning: {warning['text']}\n")
        self.assertEqual(warning["code"], "interfaces_without_bandwidth")
        self.assertEqual(list(warning["numbers"]), ["neighbors", "longer_s"])
        self.assertIn(f"up to {warning['numbers']['neighbors']:g} neighbors", warning["text"])
        self.assertIn(f"up to {warning['numbers']['longer_s']:.3g} s longer", warning["text"])

    @staticmethod
    def warnings(err):
        """Their texts and how many more have them; which point is the first to start depends on the jobs."""
        return sorted(line if "more point" in line else line.split(": ", 1)[1] for line in err.splitlines())

    def test_mistakes_of_all_points_are_reported_in_the_order_of_the_points(self):
        self.write_small({"/sweep": {"/partition": [{"kind": "feature_blocks", "sizes": [k]} for k in range(1, 9)]}})
        one = self.lagnet("run", "s.json", "--jobs", 1)
        self.assertEqual((one[0], len(one[2].splitlines())), (2, 8), one[2])
        for jobs in (2, 4):
            self.assertEqual(self.lagnet("run", "s.json", "--jobs", jobs), one)
        self.assertEqual(os.listdir(self.folder), ["s.json"])

    def test_settings_and_swept_keys_are_taken_together(self):
        self.write_small()
        self.succeeds("run", "s.json", "--out", "r", "--sweep", "topology.agents=3,4", "--set", "stop.rounds=2",
                      "--sweep", "network.latency_ms=1,2", "--quiet")
        self.assertEqual([(row["agents"], row["latency_ms"], row["round"])
                          for row in self.table("r/sweep.csv")],
                         [("3", "1", "2"), ("3", "2", "2"), ("4", "1", "2"), ("4", "2", "2")])

    def test_interrupted_points_clean_up_if_none_is_finished(self):
        self.write("s.json", changed(SMALL, {"/stop/rounds": 10**12, "/record/every": 100,
                                             "/sweep": {"/seed": [1, 2, 3]}, "/record/trace": True}))
        for number in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen([PROGRAM, "run", "s.json", "--out", "r", "--jobs", "3"], cwd=self.folder,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
                deadline = time.monotonic() + 60
                while len(list((self.folder / "r.partial").glob("*.running/trace.jsonl"))) < 3:
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.01)
                run.send_signal(number)
                out, err = run.communicate(timeout=60)
            estimate, *warnings, last = err.splitlines()
            self.assertIn("3 runs of 3e+12 rounds together: ", estimate)
            self.assertEqual((run.returncode, last), (128 + number, "lagnet: interrupted, nothing was written"))
            for warning in warnings:  # 10^12 rounds are more than any trace should hold
                self.assertIn("trace.jsonl would", warning)
            self.assertEqual((len(out.splitlines()), os.listdir(self.folder)), (1, ["s.json"]))

    def test_invalid_jobs_and_budgets_are_refused(self):
        self.write_small()
        for arguments in (("--jobs", 0), ("--jobs", "many"), ("--jobs", 1025), ("--memory-budget-mib", 0),
                          ("--memory-budget-mib", -1)):
            status, out, err = self.lagnet("run", "s.json", *arguments)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertIn(arguments[0], err)
        self.assertEqual(os.listdir(self.folder), ["s.json"])
