"""A sweep that is killed while it publishes, before any of its steps: no finished point runs again."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from support import PROGRAM, SMALL, Case, changed

POINTS = 3
SWEEP = {"/sweep": {"/seed": [1, 2, 3]}}
MORE = {"/sweep": {"/seed": [7, 1, 2, 3]}}  # in which each of them has another number
JOINED = "publication.claim"  # the first step of a publication where processes have joined
ALONE = "/000"                # that of one process: its first point gets its name


class Publication(Case):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        cls.addClassCleanup(cls.place.cleanup)
        cls.library = f"{cls.place.name}/kill_at.so"
        source = pathlib.Path(__file__).parent / "kill_at.c"
        compiler = shutil.which("cc") or "gcc"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", cls.library, str(source), "-ldl"], check=True)

    def setUp(self):
        super().setUp()
        self.write("s.json", changed(SMALL, SWEEP))
        self.write("more.json", changed(SMALL, MORE))
        self.whole = {name: self.made(name) for name in ("s.json", "more.json")}

    def made(self, name):
        self.succeeds("sweep", name, "--out", "r", "--quiet")
        files = self.files()
        shutil.rmtree(self.folder / "r")
        return files

    def files(self):
        root = self.folder / "r"
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    def start(self, *options, **variables):
        """A sweep that ends, or stops, at a step."""
        return subprocess.Popen([PROGRAM, "sweep", "s.json", "--out", "r", "--quiet", *options], cwd=self.folder,
                                env={**os.environ, "LD_PRELOAD": self.library, **variables})

    def steps(self, start, *options):
        self.assertEqual(self.start(*options, KILL_FROM=start, KILL_COUNT="steps").wait(), 0)
        steps = int((self.folder / "steps").read_text())
        (self.folder / "steps").unlink()
        shutil.rmtree(self.folder / "r")
        self.assertGreater(steps, 2 * POINTS)  # a rename and a certificate of each at least
        return steps

    def goes_on(self, name, *options):
        """All that had been finished is, and in the end the results are those of a sweep that nobody killed."""
        published = not (self.folder / "r.partial").exists()
        if published and name == "more.json":  # results of another sweep, which are there as a whole
            self.assertEqual(self.lagnet("sweep", name, "--out", "r", *options)[0], 2)
            options = (*options, "--replace")
        status, _, err = self.lagnet("sweep", name, "--out", "r", *options)
        self.assertEqual(status, 0, err)
        points = len(re.findall(r"/scenario.json", "\n".join(self.whole[name])))
        if not published:
            self.assertIn(f"{POINTS} of {points} points were finished before\n", err)
        elif name == "s.json" and options:
            self.assertIn("done before", err)
        self.assertEqual(self.files(), self.whole[name])
        self.assertFalse((self.folder / "r.partial").exists())
        shutil.rmtree(self.folder / "r")
        for left in self.folder.glob("r.*"):
            shutil.rmtree(left)

    def dies(self, start, step, *options):
        self.assertEqual(self.start(*options, KILL_FROM=start, KILL_AT=str(step)).wait(), -signal.SIGKILL)

    def test_whoever_goes_on_runs_no_finished_point_again(self):
        all_ways = [("s.json", ["--join"]), ("s.json", []), ("more.json", ["--join"])]
        for start, options, ways in ((JOINED, ["--join"], all_ways), (ALONE, [], all_ways[1:2])):
            for step in range(1, self.steps(start, *options) + 1):
                for name, after in ways:
                    with self.subTest(start=start, step=step, name=name, after=after):
                        self.dies(start, step, *options)
                        self.goes_on(name, *after)

    def wait_for(self, condition):
        deadline = time.monotonic() + 200
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.002)

    def members(self):
        return [json.loads(path.read_text())["process"] for path in self.folder.glob("r.partial/*.member")]

    def test_who_joins_while_another_publishes_is_known_until_then_and_finds_or_makes_the_results(self):
        for step in range(1, self.steps(JOINED, "--join") + 1):
            with self.subTest(step=step):
                publisher = self.start("--join", KILL_FROM=JOINED, KILL_AT=str(step), KILL_STOP="1")
                self.addCleanup(publisher.kill)
                self.assertEqual(os.waitid(os.P_PID, publisher.pid, os.WSTOPPED).si_status, signal.SIGSTOP)
                newcomer = subprocess.Popen([PROGRAM, "sweep", "s.json", "--out", "r", "--join"], cwd=self.folder,
                                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                self.addCleanup(newcomer.communicate)
                self.addCleanup(newcomer.kill)
                self.wait_for(lambda: newcomer.pid in self.members())
                newcomer.send_signal(signal.SIGSTOP)
                publisher.send_signal(signal.SIGCONT)
                self.assertEqual(publisher.wait(), -signal.SIGKILL)
                if (self.folder / "r.partial").exists():
                    self.assertIn(newcomer.pid, self.members())
                newcomer.send_signal(signal.SIGCONT)
                _, err = newcomer.communicate(timeout=200)
                self.assertEqual(newcomer.returncode, 0, err)
                counts = re.findall(f"^([0-9]) of {POINTS} points were finished (?:before|by other processes)$", err,
                                    re.M)
                self.assertEqual(sum(int(count) for count in counts), POINTS, err)
                self.assertEqual(self.files(), self.whole["s.json"])
                shutil.rmtree(self.folder / "r")
                for left in self.folder.glob("r.*"):
                    shutil.rmtree(left)
