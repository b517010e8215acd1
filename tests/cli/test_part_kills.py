"""Four parts of a sweep that are killed at random moments, and the sweep that writes the results: the bytes are those
of one process. LAGNET_KILLS: how many kills, 12 by default."""

import os
import random
import shutil
import signal
import subprocess
import time

from support import PROGRAM, SMALL, Case, changed

KILLS = int(os.environ.get("LAGNET_KILLS", "12"))
PARTS = 4
SWEEP = {"/sweep": {"/topology/agents": [4, 5, 6], "/seed": [1, 2, 3, 4]}, "/stop/rounds": 20000, "/record/every": 10}


class Kills(Case):
    def start(self, part):
        options = ["--part", f"{part}/{PARTS}"] if part else []
        process = subprocess.Popen([PROGRAM, "sweep", "s.json", "--out", "r", "--jobs", "1", "--quiet", *options],
                                   cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end_process, process)
        return process

    def files(self, folder):
        root = self.folder / folder
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    def kill(self, process):
        """False if it has come to its end first, which may only be a good one."""
        number = self.drawn.choice((signal.SIGKILL, signal.SIGTERM))
        process.send_signal(number)
        _, err = process.communicate(timeout=200)
        if process.returncode == 0:
            return False
        self.assertIn(process.returncode, (-number, 128 + number), err)
        return True

    def sweep_in_parts(self, kills):
        """Runs all parts, and the sweep after them, with at most so many kills. Returns the number of kills."""
        killed = 0
        running = {part: self.start(part) for part in range(1, PARTS + 1)}
        while running:
            time.sleep(self.drawn.uniform(0, 0.15))
            part = self.drawn.choice(sorted(running))
            process = running.pop(part)
            if killed < kills and self.kill(process):
                killed += 1
                running[part] = self.start(part)
            elif process.returncode is None:
                _, err = process.communicate(timeout=200)
                self.assertEqual((process.returncode, err), (0, ""))
        while True:
            process = self.start(None)
            time.sleep(self.drawn.uniform(0, 0.03))
            if killed == kills or not self.kill(process):
                _, err = process.communicate(timeout=200)
                self.assertEqual((process.returncode, err), (0, ""))
                return killed
            killed += 1

    def test_the_bytes_are_those_of_one_process_after_kills_at_random_moments(self):
        self.drawn = random.Random(5)
        self.write("s.json", changed(SMALL, SWEEP))
        self.succeeds("sweep", "s.json", "--out", "alone", "--quiet", "--jobs", "1")
        kills = 0
        while kills < KILLS:
            kills += self.sweep_in_parts(KILLS - kills)
            self.assertEqual(self.files("r"), self.files("alone"))
            self.assertEqual(sorted(os.listdir(self.folder)), ["alone", "r", "s.json"])
            shutil.rmtree(self.folder / "r")
        self.assertEqual(kills, KILLS)
