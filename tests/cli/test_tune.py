"""`lagnet tune`: candidates from ranges, what is chosen of them, and that it goes on where it was broken off."""

import copy
import json
import signal
import subprocess
import time

from support import PROGRAM, Case, SMALL, changed

# Twelve candidates in three networks; a millisecond each.
TUNE = {"/tune": {"candidates": 12, "seed": 3, "latencies_s": [0, 0.004, 0.8],
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

    def test_any_number_of_jobs_gives_the_same_bytes_and_json_says_what_was_chosen(self):
        self.write_tune()
        first = self.lagnet("tune", "s.json", "--out", "r", "--json", "--quiet", "--jobs", 1)
        self.assertEqual((first[0], first[2]), (0, ""))
        told = json.loads(first[1])
        self.assertEqual(told.pop("folder"), "r")
        self.assertEqual(told, json.loads((self.folder / "r/tune.json").read_text()))
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

    def test_wrong_input_is_told_all_at_once_and_nothing_is_written(self):
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
