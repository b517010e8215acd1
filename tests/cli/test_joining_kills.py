"""Four processes that join a sweep: two are killed again and again, and one has its clock an hour off."""

import collections
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time

from support import PROGRAM, SMALL, Case, changed

KILLS = 20
SWEEP = {"/sweep": {"/topology/agents": [4, 5, 6], "/seed": [1, 2, 3, 4]}, "/stop/rounds": 60000, "/record/every": 10}
POINTS = 12


class Kills(Case):
    def setUp(self):
        super().setUp()
        self.library = self.folder / "joined.so"
        compiler = shutil.which("cc") or "gcc"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", self.library,
                        pathlib.Path(__file__).parent / "joined.c", "-ldl"], check=True)

    def start(self, **variables):
        """A joined process with one job, whose attempts at points are written down."""
        process = subprocess.Popen([PROGRAM, "sweep", "s.json", "--out", "r", "--join", "--jobs", "1"], cwd=self.folder,
                                   env={**os.environ, "LD_PRELOAD": str(self.library),
                                        "JOINED_LOG": str(self.folder / "attempts"), **variables},
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end_process, process)
        return process

    def attempts(self, process=None):
        """The points that were begun, one for each attempt: of all processes, or of one."""
        log = self.folder / "attempts"
        lines = [line.split(" ", 1) for line in log.read_text().splitlines()] if log.exists() else []
        return [re.search(r"(point-[0-9a-f]+-[0-9]+)\.", path)[1] for number, path in lines
                if process is None or int(number) == process.pid]

    def is_finished(self, point):
        return (self.folder / f"r.partial/{point}.finished").exists()

    def kill(self, victim):
        """The point that it was at, if it was at one: nobody takes it before the process is dead."""
        victim.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, victim.pid, os.WSTOPPED)
        begun = [point for point in self.attempts(victim)[-1:] if not self.is_finished(point)]
        self.end_process(victim)
        return begun

    def wait_until_it_works(self, process):
        deadline = time.monotonic() + 200
        while not self.attempts(process):
            self.assertIsNone(process.poll(), "the process has ended by itself")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.002)

    def test_points_of_the_killed_are_taken_over_once_and_the_bytes_are_those_of_one(self):
        self.write("s.json", changed(SMALL, SWEEP))
        self.succeeds("sweep", "s.json", "--out", "alone", "--quiet", "--jobs", "1")
        drawn = random.Random(5)
        steady, other_clock = self.start(), self.start(JOINED_CLOCK_S=str(drawn.choice((-3600, 3600))))
        victims = [self.start(), self.start()]
        cut = []
        for kill in range(KILLS):
            if kill % 2 == 0:  # in a point; the others at any moment from their start on
                self.wait_until_it_works(victims[0])
            time.sleep(drawn.uniform(0, 0.03))
            cut += self.kill(victims.pop(0))
            victims.append(self.start())
        for process in (steady, other_clock, *victims):
            _, err = process.communicate(timeout=200)
            self.assertEqual(process.returncode, 0, err)
        self.assertGreaterEqual(len(cut), KILLS // 2)
        runs = collections.Counter(self.attempts())
        self.assertEqual(len(runs), POINTS)
        self.assertEqual(runs, collections.Counter(runs.keys()) + collections.Counter(cut))
        self.assertEqual(self.files("r"), self.files("alone"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["alone", "attempts", "joined.so", "r", "s.json"])

    def files(self, folder):
        root = self.folder / folder
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
