"""`lagnet tune`: candidates from ranges, the choice among them, and the continuation after an interruption."""

import copy
import json
import signal
import subprocess
import time

from support import PROGRAM, Case, SMALL, changed

# Twelve candidates in three networks; a millisecond each.
TUNE = {"/tune": {"choose": "gray", "candidates": 12, "seed": 3, "latencies_s": [0, 0.004, 0.8],
                  "ranges": {"/algorithm/tau": {"low": 1e-3, "high": 10}, "/algorithm/sigma": {"low": 0.1, "high": 3}}},
        "/algorithm": {"kind": "fd_primal_dual", "tau": 1e-3, "sigma": 1}, "/data/test_samples": 5,
        "/data/samples": 30, "/record": {"every": 1, "metrics": ["test_loss"]}}
RUNS = 12 * 3  # a round trip of 4 ms is that of the scenario, so its runs serve for both


class Tune(Case):
    def files(self, folder):
        root = self.folder / folder
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    def write_tune(self, changes=None):
        self.write("s.json", changed(SMALL, {**copy.deepcopy(TUNE), **(changes or {})}))

    def start(self, *arguments):
        return subprocess.Popen([PROGRAM, "tune", "s.json", "--out", "r", "--quiet", *arguments], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def finished(self):
        return len(list((self.folder / "r.partial").glob("*.finished")))

    def wait_for_points(self, count, tune):
        deadline = time.monotonic() + 100
        while self.finished() < count and tune.poll() is None:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.001)

    def test_the_table_has_every_candidate_and_the_chosen_one_runs_again(self):
        self.write_tune()
        out = self.lagnet("tune", "s.json", "--out", "r")
        self.assertEqual(out[0], 0, out)
        self.assertIn("chosen: candidate ", out[1])
        self.assertIn("test_accuracy", out[2])  # is not recorded, and that is said
        rows = self.table("r/candidates.csv")
        self.assertEqual([row["candidate"] for row in rows], [str(i) for i in range(12)])
        front = [row for row in rows if row["front"] == "true"]
        self.assertEqual(sorted(int(row["rank"]) for row in front), list(range(1, len(front) + 1)))
        best = next(row for row in front if row["rank"] == "1")
        self.assertEqual(best["grade"], max((row["grade"] for row in front), key=float))
        for row in rows:
            self.assertTrue(row["outcome"] == "ok" or (row["front"], row["grade"]) == ("false", ""), row)
        tuned = json.loads((self.folder / "r/tuned.json").read_text())
        self.assertNotIn("tune", tuned)
        self.assertEqual(str(tuned["algorithm"]["tau"]), best["/algorithm/tau"])
        self.succeeds("run", "r/tuned.json", "--out", "again", "--quiet")
        self.assertEqual((self.folder / "again/progress.csv").read_bytes(),
                         (self.folder / "r" / best["folder"] / "progress.csv").read_bytes())
        self.assertEqual(self.succeeds("replay", "r"), "r: the same, byte for byte\n")

    def test_by_default_the_first_to_a_level_is_chosen_and_every_value_has_its_cost(self):
        self.write_tune({"/tune": {"candidates": 8, "ranges": {"/algorithm/tau": {"low": 1e-3, "high": 10}}},
                         "/stop/rounds": 300})
        out = self.succeeds("tune", "s.json", "--out", "r")
        self.assertEqual(len(list((self.folder / "r").glob("*/progress.csv"))), 8)
        rows = self.table("r/candidates.csv")
        levels = [key for key in rows[0] if key.startswith("to_1e-") and any(row[key] for row in rows)]
        cost = {row["candidate"]: float(row[levels[-1]] or "inf") for row in rows}
        best = next(row for row in rows if row["rank"] == "1")
        self.assertEqual(cost[best["candidate"]], min(cost.values()))
        table = [line for line in out.splitlines() if line.startswith("  algorithm/tau = ")]
        values = [float(line.split()[2]) for line in table]
        self.assertEqual((len(values), values), (8, sorted(values)))
        self.assertEqual([float(f"{float(best['/algorithm/tau']):.4g}")],
                         [value for value, line in zip(values, table) if line.endswith("<- chosen")])

    def test_any_number_of_jobs_gives_the_same_bytes_and_json_has_the_choice(self):
        self.write_tune()
        first = self.lagnet("tune", "s.json", "--out", "r", "--json", "--quiet", "--jobs", 1)
        self.assertEqual((first[0], first[2]), (0, ""))
        told = json.loads(first[1])
        self.assertEqual(told.pop("folder"), "r")
        self.assertEqual(told, json.loads((self.folder / "r/tune.json").read_text()))
        self.assertEqual(told["remarks"], [{"code": "test_accuracy_not_recorded", "numbers": {}, "text":
                                            "candidates are not judged by test_accuracy, which record.metrics does not "
                                            "have"}])
        files = self.files("r")
        self.assertEqual(len([name for name in files if name.endswith("/progress.csv")]), RUNS)
        self.assertEqual(self.lagnet("tune", "s.json", "--out", "r", "--json", "--quiet", "--jobs", 4), first)
        self.assertEqual(self.files("r"), files)

    def test_broken_off_by_signals_it_goes_on_and_ends_with_the_same_bytes(self):
        self.write_tune({"/stop/rounds": 1000})
        self.succeeds("tune", "s.json", "--out", "whole", "--quiet")
        for number in (signal.SIGINT, signal.SIGKILL, signal.SIGINT):
            with self.start("--jobs", "2") as tune:
                before = self.finished()
                self.wait_for_points(before + 4, tune)
                tune.send_signal(number)
                out, err = tune.communicate(timeout=100)
            if number == signal.SIGINT:
                self.assertEqual((tune.returncode, out, err),
                                 (130, "", f"lagnet: interrupted, finished points are in {self.folder}/r.partial, and "
                                           "the same command goes on from there\n"))
            self.assertFalse((self.folder / "r").exists())
        kept = self.finished()
        self.assertGreaterEqual(kept, 12)
        status, out, _ = self.lagnet("tune", "s.json", "--out", "r", "--verbose")
        self.assertEqual((status, out.count("finished before")), (0, kept))
        self.assertEqual(self.files("r"), self.files("whole"))
        self.assertFalse((self.folder / "r.partial").exists())

    def test_where_all_candidates_diverge_the_table_is_kept_and_the_status_is_1(self):
        self.write_tune({"/tune/ranges": {"/algorithm/sigma": {"low": 1e140, "high": 1e150}}, "/stop/rounds": 60})
        status, out, err = self.lagnet("tune", "s.json", "--out", "r", "--quiet")
        self.assertEqual((status, out), (1, ""))
        self.assertIn("none of 12 candidates can be chosen; r/candidates.csv says why\n", err)
        self.assertEqual({row["outcome"] for row in self.table("r/candidates.csv")}, {"diverged"})
        self.assertFalse((self.folder / "r/tuned.json").exists())

    def test_run_takes_the_values_that_stand_in_the_scenario(self):
        self.write_tune()
        self.succeeds("run", "s.json", "--out", "with", "--quiet")
        self.write("plain.json", changed(SMALL, {**TUNE, "/tune": None}))
        self.succeeds("run", "plain.json", "--out", "without", "--quiet")
        self.assertEqual((self.folder / "with/progress.csv").read_bytes(),
                         (self.folder / "without/progress.csv").read_bytes())
        resolved = json.loads((self.folder / "with/scenario.json").read_text())
        self.assertEqual(resolved["tune"]["ranges"], TUNE["/tune"]["ranges"])

    def test_wrong_input_is_reported_at_once_and_nothing_is_written(self):
        self.write_tune({"/tune/ranges/~": 1, "/tune/candidates": 0})
        for command in ("tune", "run", "validate"):
            status, out, err = self.lagnet(command, "s.json")
            self.assertEqual((status, out), (2, ""))
            self.assertIn("s.json: /tune/candidates: expected an integer from 1 to 100000, found 0\n", err)
        wrong = {"/tune/ranges": {"/algorithm/tua": {"low": 1, "high": 2}, "/algorithm/tau": {"low": -1, "high": 2,
                                                                                            "scale": "linear"}}}
        self.write_tune(wrong)
        for command in ("tune", "validate"):
            status, out, err = self.lagnet(command, "s.json")
            self.assertEqual(status, 2)
            self.assertEqual(len(err.splitlines()), 2, err)
            self.assertIn("s.json: /tune/ranges/~1algorithm~1tua: ", err)
            self.assertIn("s.json: /tune/ranges/~1algorithm~1tau: expected a number above 0, found -1.0", err)
        self.write_tune({"/sweep": {"/seed": [1, 2]}})
        self.assertEqual(self.lagnet("tune", "s.json")[0], 2)
        self.write_small()
        status, _, err = self.lagnet("tune", "s.json")
        self.assertEqual(status, 2)
        self.assertIn('expected key "tune"', err)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["s.json"])

    def test_an_option_that_is_to_be_tuned_is_found_for_each_contestant_before_the_runs(self):
        peers = {"/problem/regularizer": {"kind": "l2", "weight": 0.1}, "/stop/rounds": 60, "/record/every": 1,
                 "/algorithm": {"kind": "extra"}}
        self.write("s.json", changed(SMALL, {**peers, "/sweep": {
            "/algorithm": [{"kind": "extra", "step": "tune"}, {"kind": "nids", "step": "tune"}, {"kind": "dgd"}],
            "/seed": [1, 2]}}))
        self.assertIn("valid, 6 runs", self.succeeds("validate", "s.json"))
        status, out, err = self.lagnet("sweep", "s.json", "--out", "r")
        self.assertEqual(status, 0, err)
        self.assertEqual(err.count("tuned with 10 candidates: "), 2, err)
        for contestant, points in (("0", ("000", "001")), ("1", ("002", "003"))):
            tuning = json.loads((self.folder / f"r-tuning/00{contestant}/tune.json").read_text())
            for point in points:
                scenario = json.loads((self.folder / f"r/{point}/scenario.json").read_text())
                self.assertEqual(scenario["algorithm"]["step"], tuning["chosen"]["values"]["/algorithm/step"])
        self.assertEqual(json.loads((self.folder / "r/004/scenario.json").read_text())["algorithm"]["step"], "theory")
        whole = json.loads((self.folder / "r/scenario.json").read_text())
        self.assertIn("2 contestants tuned with 10 candidates each", whole["description"])
        self.assertEqual(self.succeeds("replay", "r"), "r: the same, byte for byte\n")
        # A tuning that is there already is used again, and one number of jobs gives what another gives.
        before = (self.folder / "r/sweep.csv").read_bytes()
        stamp = (self.folder / "r-tuning/000/tune.json").stat().st_mtime_ns
        self.succeeds("sweep", "s.json", "--out", "r", "--quiet", "--jobs", 2)
        self.assertEqual((self.folder / "r/sweep.csv").read_bytes(), before)
        self.assertEqual((self.folder / "r-tuning/000/tune.json").stat().st_mtime_ns, stamp)

    def test_an_option_whose_theory_is_the_default_without_a_word_for_it_can_be_tuned(self):
        for number, (kind, option) in enumerate((("netlasso", "step"), ("accel_tracking", "alpha"))):
            self.write("s.json", changed(SMALL, {"/stop/rounds": 60, "/record/every": 1,
                                                 "/algorithm": {"kind": kind, option: "tune"}}))
            self.succeeds("run", "s.json", "--out", f"r{number}", "--quiet")
            scenario = json.loads((self.folder / f"r{number}/scenario.json").read_text())
            tuning = json.loads((self.folder / f"r{number}-tuning/000/tune.json").read_text())
            self.assertEqual(scenario["algorithm"][option], tuning["chosen"]["values"][f"/algorithm/{option}"])

    def test_an_option_that_theory_has_no_value_for_cannot_be_tuned(self):
        self.write("s.json", changed(SMALL, {"/algorithm": {"kind": "extra", "step": "tune"},
                                             "/data": {"source": "gaussian_regression", "samples": 20, "features": 4},
                                             "/problem": {"loss": {"kind": "absolute"}}}))
        status, out, err = self.lagnet("run", "s.json")
        self.assertEqual((status, out), (2, ""))
        self.assertFalse((self.folder / "runs").exists())
