"""Every command of the READMEs that the site shows beside its own pages (scenarios, tools, deployment) is run as it
stands there; those that are not have a reason. tests/cli/test_readme.py runs those of the root."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from support import PROGRAM, ROOT, Case, pages

RUN = ("scenarios/README.md", "tools/README.md", "tools/deploy/README.md")
NOT_RUN = {  # the beginning of a command, and why
    "lagnet run scenarios/examples/fleet.json": "a minute; the benchmarks of fleets run it",
    "lagnet run scenarios/examples/gossip.json --out runs/million": "two minutes and 1.7 GiB; the benchmarks run it",
    "lagnet reproduce ancelin2021/figure1": "two minutes; the site's gallery runs a figure of each paper",
    "lagnet sweep scenarios/examples/quickstart.json --sweep seed=1,2,3 --watch": "it serves until it is stopped",
    "lagnet serve": "it serves until it is stopped",
    "lagnet agent": "it needs the other computers",
    "lagnet deploy collect": "it needs what the agents of other computers have written",
    "lagnet calibrate": "it needs the other computers",
    "lagnet run scenario.json --set @": "it needs what was measured with other computers",
    "lagnet deploy compare runs/three": "it needs what was collected from other computers",
    "lagnet report runs/three": "it needs what was collected from other computers",
}
SMALL = {"lagnet": 1, "data": {"source": "gaussian_regression", "samples": 80, "features": 5},
         "topology": {"kind": "ring", "agents": 9}, "algorithm": {"kind": "extra"}, "stop": {"rounds": 20}}


def table(rows, label):
    lines = [f"{k % 7},{k * k % 11},{k % 7 - 2 * (k * k % 11)}" for k in range(rows)]
    return "\n".join([f"a,b,{label}", *lines]) + "\n"


class Readmes(Case):
    """Each README has a folder of its own, with the files that a reader is taken to have."""

    def commands(self, name):
        """The commands of a README, without remarks about them."""
        text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
        return [re.sub(r"\s{2,}#.*$", "", line[4:]) for line in text.split("\n")
                if re.match(r"^    (lagnet|printf) ", line)]

    def run_all(self, name, before=()):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "scenarios").symlink_to(ROOT / "scenarios")
            (pathlib.Path(folder) / "bin").mkdir()
            (pathlib.Path(folder) / "bin/lagnet").symlink_to(PROGRAM)
            environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"}
            for file, text in self.files().items():
                (pathlib.Path(folder) / file).write_text(text, encoding="utf-8")
            done = 0
            for command in [*before, *self.commands(name)]:
                if any(command.startswith(start) for start in NOT_RUN):
                    continue
                with self.subTest(readme=name, command=command):
                    run = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True,
                                         text=True, timeout=300, check=False)
                    if "has no reports" in run.stderr:
                        continue  # npm was missing when lagnet was built, which the tests of reports say
                    self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                done += 1
            return done

    def files(self):
        heart = (ROOT / "scenarios/data/sets/heart_scale.libsvm").read_text(encoding="utf-8")
        return {"mine.csv": table(200, "price"), "mine.libsvm": heart, "new_patients.libsvm": heart,
                "scenario.json": json.dumps(SMALL),
                "my.json": json.dumps(SMALL | {"sweep": {"/network/latency_ms": [1, 5]}})}

    def test_those_of_scenarios(self):
        first = "lagnet run scenarios/examples/quickstart.json --out runs/quickstart --quiet"
        self.assertGreater(self.run_all("scenarios/README.md", [first]), 3)

    def test_those_of_tools(self):
        heart = ("lagnet run scenarios/golden/star_logistic_l2_heart.json --out runs/heart --quiet; "
                 "lagnet run scenarios/examples/which_topology.json --out runs/which --quiet; rm my.json")
        self.assertGreater(self.run_all("tools/README.md", [heart]), 15)

    def test_those_of_several_computers(self):
        self.assertGreater(self.run_all("tools/deploy/README.md"), 3)

    def test_every_excluded_command_is_on_a_page(self):
        text = "".join((ROOT / name).read_text(encoding="utf-8") for name in RUN)
        for start in NOT_RUN:
            self.assertIn(start, text)

    def test_blocks_of_every_page_are_of_kinds_that_are_run(self):
        for path in sorted((ROOT / "docs").rglob("*.md")):
            for block in pages.blocks_of(path.read_text(encoding="utf-8")):
                with self.subTest(page=path.name, line=block.line):
                    self.assertTrue(block.directive in pages.DIRECTIVES or block.language in ("console", "pycon"))


if __name__ == "__main__":
    unittest.main()
