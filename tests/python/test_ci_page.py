"""The job for continuous integration that ends the page on regression tests: its steps run as GitHub runs them, break
by what changes numbers, and pass by what does not."""

import subprocess
import sys
import unittest

from support import PROGRAM, ROOT, TREE, Case

sys.path.insert(0, str(ROOT / "docs/_ext"))
import pages  # noqa: E402
import programs  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

PAGE = ROOT / "docs/howto/regression_test.md"
INSTALLS = "Install lagnet"  # the step that is left out: the program and the package are those of this build
SCENARIOS, CLASSES, CLAIMS = "Goldens of scenarios", "Goldens of classes in Python", "Claims"
RENEW_SCENARIOS = "if this is intended, renew the goldens: lagnet check golden --update"
RENEW_CLASSES = "if this is intended, renew the goldens: python3 -m lagnet check own_golden --update"
COLUMN = (r"(?m)^ +objective: \d+ of 41 rows differ, first row \d+ \(round \d+\): expected [\d.e+-]+, "
          r"found [\d.e+-]+$")


@unittest.skipUnless(yaml, "python3-yaml is missing: the page's job is not parsed")
class CiPage(Case):
    """A repository with the files that the page shows, and their goldens."""

    def setUp(self):
        super().setUp()
        self.programs = programs.Programs(PROGRAM, TREE, self.folder)
        self.page = pages.Page(PAGE, self.folder, self.programs)
        self.page.prepare()
        for block in pages.blocks_of(self.page.text):
            if block.directive == "{code-block}":
                self.page.run_block(block, [])
        self.assertEqual(self.page.problems, [])
        self.repository = self.page.work
        for name in ("lagnet check golden", "python3 -m lagnet check own_golden"):
            self.assertEqual(self.step(f"{name} --update")[0], 0)

    def step(self, command):
        """A step as a job in a container runs it: exit status, and what it prints."""
        run = subprocess.run(["sh", "-e", "-c", command], cwd=self.repository, capture_output=True, text=True,
                             timeout=300, check=False,
                             env={**self.programs.environment, "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md")})
        self.assertEqual(run.stderr, "")
        return run.returncode, run.stdout

    def job(self):
        """The steps that run, by their names, up to the first that fails: exit status and output of each."""
        job, = yaml.safe_load((self.repository / ".github/workflows/lagnet.yml").read_text())["jobs"].values()
        self.assertEqual([step for step in job["steps"] if "run" not in step], [{"uses": "actions/checkout@v4"}])
        ended = {}
        for step in job["steps"]:
            if "run" not in step or step["name"] == INSTALLS:
                continue
            ended[step["name"]] = self.step(step["run"])
            if ended[step["name"]][0] != 0:
                break
        return ended

    def changes(self, name, before, after):
        path = self.repository / name
        text = path.read_text()
        self.assertEqual(text.count(before), 1)
        path.write_text(text.replace(before, after))

    def assert_fails(self, step, ended, *patterns):
        self.assertEqual([status for status, _ in ended.values()], [0] * (len(ended) - 1) + [1])
        self.assertEqual(list(ended)[-1], step)
        for pattern in patterns:
            self.assertRegex(ended[step][1], pattern)

    def test_it_passes_and_writes_the_claims(self):
        ended = self.job()
        self.assertEqual({name: status for name, (status, _) in ended.items()}, {SCENARIOS: 0, CLASSES: 0, CLAIMS: 0})
        self.assertEqual((ended[SCENARIOS][1], ended[CLASSES][1]), ("same  ring\n", "same  descent\n"))
        self.assertIn("| NIDS reaches 1e-8 |", (self.folder / "summary.md").read_text())

    def test_a_changed_constant_of_a_scenario_breaks_it(self):
        self.changes("golden/ring.json", '"extra"', '"extra", "step": 0.1')
        self.assert_fails(SCENARIOS, self.job(), "^DIFFERS  ring\n", COLUMN, RENEW_SCENARIOS)

    def test_a_changed_constant_in_the_class_breaks_it(self):
        self.changes("own.py", "step: float = 0.1", "step: float = 0.11")
        self.assert_fails(CLASSES, self.job(), "^DIFFERS  descent\n", COLUMN, RENEW_CLASSES,
                          "the source of own:Descent changed: [0-9a-f]{8} -> [0-9a-f]{8}\n")

    def test_a_changed_constant_outside_of_the_class_breaks_it(self):
        self.changes("own.py", "SCALE = 1.0", "SCALE = 1.01")
        self.assert_fails(CLASSES, self.job(), "^DIFFERS  descent\n", COLUMN, RENEW_CLASSES,
                          "the source of own:Descent changed: [0-9a-f]{8} -> [0-9a-f]{8}\n")

    def test_a_changed_docstring_passes_with_a_hint(self):
        self.changes("own.py", '"""A step along', '"""One step along')
        ended = self.job()
        self.assertEqual([status for status, _ in ended.values()], [0, 0, 0])
        self.assertEqual(ended[CLASSES][1], "same  descent\n      own.py changed, but nothing that own:Descent "
                                            "computes with; the numbers are the same\n")

    def test_a_changed_digit_of_the_data_breaks_it(self):
        self.changes("data/houses.csv", "6,30,1.2,34.7", "6,30,1.2,34.8")
        ended = self.job()
        self.assert_fails(SCENARIOS, ended, "^DIFFERS  ring\n", COLUMN, RENEW_SCENARIOS)
        status, out = self.step("python3 -m lagnet check own_golden")
        self.assertEqual(status, 1)
        self.assertRegex(out, COLUMN)
        self.assertIn(RENEW_CLASSES, out)
        self.assertNotIn("the source of", out)


if __name__ == "__main__":
    unittest.main()
