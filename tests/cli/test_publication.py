"""A sweep that is killed while it publishes, before any of its steps: no finished point runs again."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

from support import PROGRAM, SMALL, Case, changed

POINTS = 3
SWEEP = {"/sweep": {"/seed": [1, 2, 3]}}
MORE = {"/sweep": {"/seed": [7, 1, 2, 3]}}  # in which each of them has another number
BEGIN = "/000"  # the first step of a publication: the first point gets its name


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

    def start(self, **variables):
        """A sweep that ends at a step."""
        return subprocess.Popen([PROGRAM, "sweep", "s.json", "--out", "r", "--quiet"], cwd=self.folder,
                                env={**os.environ, "LD_PRELOAD": self.library, "KILL_FROM": BEGIN, **variables})

    def steps(self):
        self.assertEqual(self.start(KILL_COUNT="steps").wait(), 0)
        steps = int((self.folder / "steps").read_text())
        (self.folder / "steps").unlink()
        shutil.rmtree(self.folder / "r")
        self.assertGreater(steps, 2 * POINTS)  # a rename and a certificate of each at least
        return steps

    def goes_on(self, name, part):
        """All that had been finished is, and in the end the results are those of a sweep that was not killed."""
        published = not (self.folder / "r.partial").exists()
        options = []
        if published and name == "more.json":  # results of another sweep, which are there as a whole
            self.assertEqual(self.lagnet("sweep", name, "--out", "r")[0], 2)
            options = ["--replace"]
        if part:
            self.succeeds("sweep", name, "--out", "r", "--quiet", "--part", "2/2", *options)
        status, _, err = self.lagnet("sweep", name, "--out", "r", *options)
        self.assertEqual(status, 0, err)
        points = len(re.findall(r"/scenario.json", "\n".join(self.whole[name])))
        if not published:
            self.assertIn(f"{POINTS} of {points} points were finished before\n", err)
        elif name == "s.json":
            self.assertIn("done before", err)
        self.assertEqual(self.files(), self.whole[name])
        self.assertFalse((self.folder / "r.partial").exists())
        shutil.rmtree(self.folder / "r")
        for left in self.folder.glob("r.*"):
            shutil.rmtree(left)

    def test_no_finished_point_runs_again_after_a_kill_at_any_step(self):
        for step in range(1, self.steps() + 1):
            for name in ("s.json", "more.json"):
                for part in (False, True):
                    with self.subTest(step=step, name=name, part=part):
                        self.assertEqual(self.start(KILL_AT=str(step)).wait(), -signal.SIGKILL)
                        self.goes_on(name, part)
