"""Goldens of methods in Python, and the unchanged code of the page about regression tests."""

import json
import pathlib
import subprocess
import sys

import lagnet
from methods import DESCENT
from support import PROGRAM, ROOT, TREE, Case

sys.path.insert(0, str(ROOT / "docs/_ext"))
import pages  # noqa: E402
import programs  # noqa: E402

OWN = f'''{DESCENT}

class NoMore(lagnet.Loss):
    smoothness = 1.0

    def value(self, scores, labels):
        return (scores - labels)**2 / 2

    def derivative(self, scores, labels):
        return scores - labels
'''
SCENARIO = {"lagnet": 1, "data": {"source": "gaussian_regression", "samples": 60, "features": 5},
            "topology": {"kind": "ring", "agents": 6}, "stop": {"rounds": 10},
            "algorithm": {"kind": "python", "class": "own:Descent", "options": {"step": 0.2}}}
PLAIN = {**SCENARIO, "algorithm": {"kind": "extra"}}
PARTS = {**PLAIN, "problem": {"loss": {"kind": "python", "class": "own:NoMore", "options": {}}}}


class Goldens(Case):
    def setUp(self):
        super().setUp()
        pathlib.Path("golden").mkdir()
        pathlib.Path("own.py").write_text(OWN)
        for name, scenario in (("descent", SCENARIO), ("extra", PLAIN), ("loss", PARTS)):
            self.write(name, scenario)

    def write(self, name, scenario):
        pathlib.Path(f"golden/{name}.json").write_text(json.dumps(scenario))

    def checked(self, *words):
        """Exit status and output of a process of its own."""
        run = subprocess.run([sys.executable, "-B", "-m", "lagnet", "check", "golden", *words], capture_output=True,
                             text=True, timeout=120, check=False)
        return run.returncode, run.stdout, run.stderr

    def of_python(self, *arguments):
        """lagnet.check() in a process of its own, which imports the class as it is now."""
        return json.loads(self.python("import json, lagnet, sys; print(json.dumps(lagnet.check('golden', *map(bool, "
                                      "sys.argv[1:]))))", *arguments))

    def test_goldens_are_made_and_compared(self):
        status, out, _ = self.checked()
        self.assertEqual(status, 1)
        self.assertIn("DIFFERS  descent\n      descent.golden.json is missing", out)
        self.assertEqual(self.checked("--update"), (0, "made  descent\nmade  extra\nmade  loss\n", ""))
        self.assertEqual(self.checked(), (0, "same  descent\nsame  extra\nsame  loss\n", ""))
        self.assertEqual(self.of_python(), [{"name": name, "same": True, "differences": [], "parts": [], "hints": []}
                                            for name in ("descent", "extra", "loss")])

    def test_numbers_decide_and_the_source_is_a_hint(self):
        section = json.loads(self.python("import json, own; print(json.dumps(own.Descent(step=0.2).section()))"))
        self.assertEqual(len(section["source_sha256"]), 64)
        self.write("descent", {**SCENARIO, "algorithm": section})
        self.of_python("update")
        for change in (lambda text: text.replace("x = await me.mix(x) - self.step * gradient",
                                                 "mean = await me.mix(x)\n            x = mean - self.step * gradient"),
                       lambda text: text.replace('"""Gradient steps and means."""', "# Gradient steps and means.")):
            pathlib.Path("own.py").write_text(change(OWN))
            status, out, err = self.checked()
            self.assertEqual((status, err), (0, ""))
            lines = out.splitlines()
            self.assertEqual([line for line in lines if not line.startswith(" ")],
                             ["same  descent", "same  extra", "same  loss"])
            self.assertRegex(lines[1], "^      (own.py changed, but nothing that own:Descent computes with|the source "
                                       "of own:Descent changed: [0-9a-f]{8} -> [0-9a-f]{8}); the numbers are the same$")
        pathlib.Path("own.py").write_text(OWN.replace("self.step * gradient", "2 * self.step * gradient"))
        now = json.loads(self.python("import json, own; print(json.dumps(own.Descent(step=0.2).section()))"))
        status, out, _ = self.checked()
        self.assertEqual(status, 1)
        self.assertIn(f"      the source of own:Descent changed: {section['source_sha256'][:8]} -> "
                      f"{now['source_sha256'][:8]}\n", out)
        self.assertEqual(out.splitlines()[-1],
                         "if this is intended, renew the goldens: python3 -m lagnet check golden --update")
        differs, *others = self.of_python()
        self.assertGreater(len(differs["differences"]), 3)
        self.assertEqual((len(differs["parts"]), len(differs["hints"])), (len(differs["differences"]), 1))
        self.assertTrue(all(one["same"] for one in others))

    def test_uncheckable_scenarios_are_reported(self):
        self.write("wrong", {**SCENARIO, "algorithm": {"kind": "python", "class": "own:Nothing"}})
        status, out, err = self.checked("--update")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("/algorithm/class: expected a class of lagnet.Peers or lagnet.ServerAndClients", err)
        self.assertEqual(sorted(path.name for path in pathlib.Path("golden").glob("*.golden.json")), [])
        with self.assertRaisesRegex(lagnet.InputError, "expected a folder of golden scenarios, found results"):
            lagnet.check(lagnet.run(PLAIN, out="r"), update=True)
        with self.assertRaisesRegex(lagnet.InputError, "expected a folder of golden scenarios, found none"):
            lagnet.check("nowhere")

    def test_a_folder_without_classes_is_the_programs(self):
        for name in ("descent", "loss"):
            pathlib.Path(f"golden/{name}.json").unlink()
        self.assertEqual(self.checked("--update"), (0, "made  extra\n", ""))
        self.assertEqual(lagnet.check("golden", update=True).same, True)
        self.assertEqual(self.program("check", "golden")[:2], (0, "same  extra\n"))


class RegressionPage(Case):
    def test_it_runs_as_written(self):
        made = programs.Programs(PROGRAM, TREE, self.folder)
        page = pages.Page(ROOT / "docs/howto/regression_test.md", self.folder, made).run()
        self.assertEqual(page.problems, [])


if __name__ == "__main__":
    import unittest
    unittest.main()
