"""Random scenarios through the program: exit status, what a refusal says, and that nothing half-written is left. What
must be true of the runs themselves is held in one process, which is many times faster: tests/fuzz/random."""

import json
import os
import shutil
import subprocess

from support import ROOT, Case

GENERATOR = os.environ.get("RANDOM_SCENARIOS", str(ROOT / "build/release/bin/random_scenarios"))
BUDGET = ("--memory-budget-mib", 500)


class RandomScenarios(Case):
    def setUp(self):
        super().setUp()
        drawn = self.folder / "drawn"
        drawn.mkdir()
        subprocess.run([GENERATOR, "--write", str(drawn), "--count", "200", "--seed", "3"], check=True)
        self.drawn = {path.name: path.read_bytes() for path in sorted(drawn.iterdir())}
        shutil.rmtree(drawn)

    def run_each(self, is_broken):
        """The names of the drawn ones of a kind, their text as s.json; each in an empty folder."""
        for name, text in self.drawn.items():
            if name.endswith("-broken.json") == is_broken:
                for path in self.folder.iterdir():
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
                self.write("s.json", text)
                yield name

    def test_accepted_ones_run_and_their_folders_are_read(self):
        runs = 0
        for name in self.run_each(is_broken=False):
            with self.subTest(name):
                self.assertEqual(self.lagnet("validate", "s.json", *BUDGET)[0], 0)
                status, _, err = self.lagnet("run", "s.json", "--out", "r", "--quiet", *BUDGET)
                self.assertIn(status, (0, 1, 2), err)
                self.assertEqual((self.folder / "r").exists(), status != 2)
                if status == 2:  # what only the run finds out
                    continue
                runs += 1
                self.assertEqual(self.lagnet("replay", "r", "--quiet")[0], 0)
                threads = () if json.loads((self.folder / "r/scenario.json").read_text())["numerics"] == "off" else \
                    ("--threads", 2)
                self.assertEqual(self.lagnet("run", "s.json", "--out", "two", "--quiet", *threads, *BUDGET)[0], status)
                self.assertEqual(self.lagnet("diff", "r", "two")[0], 0)
                if runs % 10 == 0:  # a page is a megabyte
                    self.assertEqual(self.lagnet("report", "r", "-o", "page.html", "--quiet")[0], 0)
        self.assertGreater(runs, 50)

    def test_broken_ones_are_refused_by_name_or_run(self):
        refused = 0
        for name in self.run_each(is_broken=True):
            with self.subTest(name):
                status, _, err = self.lagnet("run", "s.json", "--set", "stop.rounds=5", "--out", "r", "--quiet",
                                             *BUDGET, errors="replace")
                self.assertIn(status, (0, 1, 2), err)
                left = {path.name for path in self.folder.iterdir()} - {"s.json"}
                if status == 2:
                    refused += 1
                    self.assertEqual(left, set())
                    self.assertRegex(err, r"^(s\.json|--set|lagnet)\b")
                else:
                    self.assertIn("r", left)
        self.assertGreater(refused, 50)
