"""`lagnet sweep`: finished points survive any interruption, and the next sweep continues from there."""

import fcntl
import json
import random
import signal
import subprocess
import time

from support import PROGRAM, Case, SMALL, changed

POINTS = 12
SWEEP = {"/sweep": {"/topology/agents": [4, 5, 6], "/seed": [1, 2, 3, 4]}, "/stop/rounds": 400, "/record/every": 1}


class Resumption(Case):
    def files(self, folder):
        root = self.folder / folder
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    def start(self, *arguments, command="sweep"):
        return subprocess.Popen([PROGRAM, command, "s.json", "--out", "r", "--quiet", *arguments], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def finished(self):
        return len(list((self.folder / "r.partial").glob("*.finished")))

    def wait_for_points(self, count, sweep):
        deadline = time.monotonic() + 200
        while self.finished() < count and sweep.poll() is None:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.001)

    def test_a_sweep_killed_at_twenty_moments_ends_with_the_files_of_an_undisturbed_one(self):
        self.write("s.json", changed(SMALL, SWEEP))
        self.succeeds("sweep", "s.json", "--out", "whole", "--quiet")
        self.succeeds("run", "s.json", "--out", "run", "--quiet")
        self.assertEqual(self.files("whole"), self.files("run"))
        began = time.monotonic()
        self.succeeds("sweep", "s.json", "--out", "timed", "--quiet")
        takes = time.monotonic() - began
        moments = random.Random(4)
        kills = 0
        while kills < 20:
            with self.start("--jobs", str(moments.choice([1, 2]))) as sweep:
                try:
                    sweep.communicate(timeout=moments.uniform(0, takes / 2))
                except subprocess.TimeoutExpired:
                    kills += 1
                    sweep.kill()
                    sweep.communicate()
            if (self.folder / "r").exists():  # done before it could be killed: compared, and begun again
                self.assertEqual(self.files("r"), self.files("whole"))
                subprocess.run(["rm", "-r", "r"], cwd=self.folder, check=True)
        self.succeeds("sweep", "s.json", "--out", "r", "--quiet")
        self.assertEqual(self.files("r"), self.files("whole"))
        self.assertFalse((self.folder / "r.partial").exists())

    def test_an_interrupted_sweep_says_where_it_goes_on_and_does_not_run_finished_points_again(self):
        self.write("s.json", changed(SMALL, {**SWEEP, "/stop/rounds": 20000}))
        for command, number in (("sweep", signal.SIGINT), ("run", signal.SIGTERM)):
            with self.start("--jobs", "1", command=command) as sweep:
                before = self.finished()
                self.wait_for_points(before + 2, sweep)
                sweep.send_signal(number)
                out, err = sweep.communicate(timeout=200)
            self.assertEqual((sweep.returncode, out, err),
                             (128 + number, "", f"lagnet: interrupted, finished points are in {self.folder}/r.partial, "
                                                "and the same command goes on from there\n"))
        kept = self.finished()
        self.assertGreaterEqual(kept, 4)
        status, out, err = self.lagnet("sweep", "s.json", "--out", "r")
        self.assertEqual((status, err), (0, f"{kept} of {POINTS} points were finished before\n"))
        self.assertEqual(len(out.splitlines()), POINTS + 2)
        self.assertEqual(len(self.table("r/sweep.csv")), POINTS)

    def test_points_that_are_added_to_a_sweep_do_not_make_it_run_the_others_again(self):
        self.write("s.json", changed(SMALL, {**SWEEP, "/stop/rounds": 20000}))
        with self.start("--jobs", "1") as sweep:
            self.wait_for_points(3, sweep)
            sweep.kill()
            sweep.communicate()
        kept = self.finished()
        more = {"/sweep": {"/topology/agents": [7, 4, 5, 6], "/seed": [0, 1, 2, 3, 4]}}
        self.write("s.json", changed(SMALL, {**SWEEP, "/stop/rounds": 20000, **more}))
        status, out, _ = self.lagnet("sweep", "s.json", "--out", "r", "--verbose")
        self.assertEqual((status, out.count("finished before")), (0, kept))
        self.succeeds("run", "s.json", "--out", "whole", "--quiet")
        self.assertEqual(self.files("r"), self.files("whole"))

    def test_a_changed_scenario_has_no_finished_points(self):
        self.write("s.json", changed(SMALL, {**SWEEP, "/stop/rounds": 20000}))
        with self.start("--jobs", "1") as sweep:
            self.wait_for_points(1, sweep)
            sweep.kill()
            sweep.communicate()
        self.write("s.json", changed(SMALL, {**SWEEP, "/stop/rounds": 30}))
        status, _, err = self.lagnet("sweep", "s.json", "--out", "r", "--verbose")
        self.assertEqual(status, 2)
        self.assertRegex(err, r"expected finished points of this sweep alone, found \d+ of another one")
        self.assertNotIn("finished before", self.succeeds("sweep", "s.json", "--out", "r", "--verbose", "--replace"))

    def test_two_sweeps_do_not_write_to_one_place(self):
        self.write("s.json", changed(SMALL, SWEEP))
        (self.folder / "r.partial").mkdir()
        with open(self.folder / "r.partial/lagnet.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertEqual(self.lagnet("sweep", "s.json", "--out", "r"),
                             (2, "", f"{self.folder}/r: expected no other run or sweep that writes there, found one\n"))

    def test_a_point_that_diverges_is_recorded_and_the_others_go_on(self):
        self.write("s.json", changed(SMALL, {"/algorithm/sigma": 1, "/algorithm/tau": 1e-3, "/stop/rounds": 60,
                                             "/sweep": {"/algorithm/sigma": [1, 1e150, 2]}}))
        status, _, _ = self.lagnet("sweep", "s.json", "--out", "r", "--quiet")
        self.assertEqual((status, [row["stop"] == "diverged" for row in self.table("r/sweep.csv")]),
                         (1, [False, True, False]))
        self.assertEqual(json.loads((self.folder / "r/sweep.json").read_text())["failed"], 1)
