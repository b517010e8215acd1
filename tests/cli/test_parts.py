"""`lagnet sweep --part K/N`: processes that run a part of a sweep each, and the one that writes the results."""

import json
import os
import signal
import subprocess
import time

from support import PROGRAM, SMALL, Case, changed

POINTS = 12
SWEEP = {"/sweep": {"/topology/agents": [4, 5, 6], "/seed": [1, 2, 3, 4]}, "/stop/rounds": 2000, "/record/every": 1}
ENDLESS = {"/sweep": {"/seed": [1, 2, 3, 4]}, "/stop/rounds": 10**12, "/record/every": 100}


class Parts(Case):
    def files(self, folder="r"):
        root = self.folder / folder
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    def whole(self, command="sweep"):
        """The files that one process writes."""
        self.succeeds(command, "s.json", "--out", "r", "--quiet", "--jobs", "1")
        files = self.files()
        subprocess.run(["rm", "-r", "r"], cwd=self.folder, check=True)
        return files

    def start(self, part, *arguments, command="sweep"):
        process = subprocess.Popen([PROGRAM, command, "s.json", "--out", "r", "--part", part, *arguments],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def partial(self, pattern):
        return sorted((self.folder / "r.partial").glob(pattern))

    def wait_for(self, condition, *processes):
        """Until it holds, while the processes are at work."""
        deadline = time.monotonic() + 200
        while not condition():
            for process in processes:
                self.assertIsNone(process.poll(), "the process has ended by itself")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.002)

    def endless(self, *parts):
        """Processes that run these parts until they are ended."""
        self.write("s.json", changed(SMALL, ENDLESS))
        processes = [self.start(part, "--jobs", "1") for part in parts]
        self.wait_for(lambda: len(self.partial("*.running")) == len(parts), *processes)
        return processes

    def test_parts_and_then_the_sweep_write_the_bytes_of_one_process(self):
        self.write("s.json", changed(SMALL, SWEEP))
        whole = self.whole()
        for k, part in enumerate([self.start(f"{k}/3") for k in (1, 2, 3)], 1):
            out, err = part.communicate(timeout=200)
            self.assertEqual((part.returncode, err), (0, ""))
            self.assertEqual(out.splitlines()[-1],
                             f"part {k}/3 is finished; once all parts are, the same command without --part writes r")
            self.assertEqual(len(out.splitlines()), POINTS // 3 + 2)
        self.assertFalse((self.folder / "r").exists())
        self.assertEqual(len(self.partial("*.finished")), POINTS)
        status, _, err = self.lagnet("sweep", "s.json", "--out", "r")
        self.assertEqual((status, err), (0, f"{POINTS} of {POINTS} points were finished before\n"))
        self.assertEqual(self.files(), whole)
        self.assertEqual(sorted(os.listdir(self.folder)), ["r", "s.json"])

    def test_what_parts_have_left_the_sweep_runs(self):
        self.write("s.json", changed(SMALL, SWEEP))
        whole = self.whole()
        self.assertEqual(json.loads(self.succeeds("sweep", "s.json", "--out", "r", "--part", "2/3", "--json")),
                         {"folder": "r", "part": "2/3", "published": False})
        status, _, err = self.lagnet("sweep", "s.json", "--out", "r", "--jobs", "2")
        self.assertEqual((status, err), (0, f"{POINTS // 3} of {POINTS} points were finished before\n"))
        self.assertEqual(self.files(), whole)

    def test_a_part_whose_results_exist_says_so(self):
        self.write("s.json", changed(SMALL, SWEEP))
        self.succeeds("sweep", "s.json", "--out", "r", "--quiet")
        before = self.tree()
        status, out, err = self.lagnet("sweep", "s.json", "--out", "r", "--part", "1/4")
        self.assertEqual((status, out.splitlines()[-1]), (0, "results in r"))
        self.assertIn("done before", err)
        self.assertEqual(self.tree(), before)

    def test_a_second_process_of_a_part_is_refused(self):
        first, = self.endless("2/3")
        self.assertEqual(self.lagnet("sweep", "s.json", "--out", "r", "--part", "2/3", "--quiet"),
                         (2, "", f"{self.folder}/r: expected no other process that runs part 2/3, found one\n"))
        self.assertIsNone(first.poll())

    def test_another_number_of_parts_and_another_scenario_are_refused_while_a_part_runs(self):
        first, = self.endless("1/2")
        self.assertEqual(self.lagnet("sweep", "s.json", "--out", "r", "--part", "1/3", "--quiet"),
                         (2, "", f"{self.folder}/r: expected parts K/3, found part 1/2, still running\n"))
        self.write("other.json", changed(SMALL, {**ENDLESS, "/stop/rounds": 3}))
        status, out, err = self.words("sweep", "other.json", "--out", "r", "--part", "2/2", "--quiet")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("expected parts of the same points by the same build of lagnet, found part 1/2 of other work, "
                      "still running", err)
        self.assertIsNone(first.poll())
        self.assertEqual(len(self.partial("*.finished")), 0)

    def words(self, *arguments):
        status, out, err = self.lagnet(*arguments)
        return status, out, " ".join(err.split())

    def test_the_sweep_names_the_parts_that_run_and_writes_nothing(self):
        processes = self.endless("1/4", "3/4")
        for command in ("sweep", "run"):
            status, out, err = self.words(command, "s.json", "--out", "r")
            self.assertEqual((status, out), (2, ""))
            self.assertEqual(err, f"{self.folder}/r: expected no other process that writes there, found parts 1/4, "
                                  "3/4, still running: wait until they have ended")
        processes[0].kill()
        processes[0].wait()
        self.assertIn("found part 3/4, still running: wait until it has ended",
                      self.words("sweep", "s.json", "--out", "r")[2])
        self.assertFalse((self.folder / "r").exists())

    def test_a_part_is_refused_while_the_sweep_runs(self):
        self.write("s.json", changed(SMALL, ENDLESS))
        with subprocess.Popen([PROGRAM, "sweep", "s.json", "--out", "r", "--quiet"], cwd=self.folder) as alone:
            self.addCleanup(alone.kill)
            self.wait_for(lambda: self.partial("*.running"), alone)
            self.assertEqual(self.lagnet("sweep", "s.json", "--out", "r", "--part", "1/2", "--quiet"),
                             (2, "", f"{self.folder}/r: expected no other run or sweep that writes there, found one\n"))
            alone.kill()

    def test_an_interrupted_part_keeps_its_finished_points(self):
        self.write("s.json", changed(SMALL, {**SWEEP, "/stop/rounds": 20000}))
        whole = self.whole()
        for number in (signal.SIGINT, signal.SIGTERM):
            part = self.start("1/2", "--jobs", "1")
            before = len(self.partial("*.finished"))
            self.wait_for(lambda: len(self.partial("*.finished")) > before, part)
            part.send_signal(number)
            _, err = part.communicate(timeout=200)
            self.assertEqual((part.returncode, err),
                             (128 + number, f"lagnet: interrupted, finished points are in {self.folder}/r.partial, and "
                                            "the same command goes on from there\n"))
        self.succeeds("sweep", "s.json", "--out", "r", "--quiet")
        self.assertEqual(self.files(), whole)

    def test_parts_that_cannot_be_are_refused(self):
        self.write("s.json", changed(SMALL, SWEEP))
        for part in ("3/2", "0/2", "1", "1/0", "a/b", "-1/2", ""):
            status, _, err = self.lagnet("sweep", "s.json", "--out", "r", "--part", part)
            self.assertEqual((status, "K/N, the K-th of N parts, as in 2/5" in err), (2, True), err)
        status, _, err = self.lagnet("sweep", "s.json", "--out", "r", "--part", "1/2", "--retime")
        self.assertEqual((status, "--part: expected it without --retime" in err), (2, True), err)
        self.write("tuned.json", changed(SMALL, {**SWEEP, "/algorithm": {"kind": "extra", "step": "tune"}}))
        status, _, err = self.words("sweep", "tuned.json", "--out", "r", "--part", "1/2")
        self.assertEqual((status, err), (2, "--part: expected numbers for all options, found tune, which every part "
                                            "would search"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["s.json", "tuned.json"])

    def test_a_tuning_has_parts_too(self):
        self.write("s.json", changed(SMALL, {"/stop/rounds": 300, "/record/every": 1,
                                             "/tune": {"candidates": 8, "ranges": {
                                                 "/algorithm/tau": {"low": 0.1, "high": 1},
                                                 "/algorithm/sigma": {"low": 0.1, "high": 1}}}}))
        whole = self.whole("tune")
        for part in [self.start(f"{k}/2", "--json", command="tune") for k in (1, 2)]:
            self.assertFalse(json.loads(part.communicate(timeout=200)[0])["published"])
        self.succeeds("tune", "s.json", "--out", "r", "--quiet")
        self.assertEqual(self.files(), whole)

    def test_a_figure_has_parts_too(self):
        for k in (1, 2):
            status, out, err = self.lagnet("reproduce", "yu2017/digits", "--part", f"{k}/2")
            self.assertEqual((status, out), (0, f"part {k}/2 is finished; once all parts are, the same command without "
                                            "--part writes runs/yu2017/digits\n"), err)
        status, out, err = self.lagnet("reproduce", "yu2017/digits")
        self.assertEqual(status, 0, err)
        self.assertIn("1 of 1 statements hold in one draw, that of seed 1", out)
        in_parts = self.files("runs/yu2017/digits")
        subprocess.run(["rm", "-r", "runs"], cwd=self.folder, check=True)
        self.succeeds("reproduce", "yu2017/digits", "--jobs", "1", "--quiet")
        self.assertEqual(self.files("runs/yu2017/digits"), in_parts)
        status, _, err = self.words("reproduce", "yu2017/digits", "--part", "1/2", "--pdf", "f.pdf")
        self.assertEqual((status, "--pdf has no effect beside --part" in err), (2, True), err)
