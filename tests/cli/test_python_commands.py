"""Commands that the Python package executes: what the program says where it cannot be found, and what it hands over."""

import json
import os
import sys

from support import Case

SHOWS = "import json, sys\nprint(json.dumps(sys.argv[1:]))\n"


class PythonCommands(Case):
    def python(self, body):
        """The name of a program that stands for Python, and runs this in place of what it is given."""
        self.write("shown.py", body)
        self.write("python", f'#!/bin/sh\nexec "{sys.executable}" "{self.folder / "shown.py"}" "$@"\n')
        (self.folder / "python").chmod(0o755)
        return str(self.folder / "python")

    def asked(self, *words):
        """The command and the request that the package is given."""
        status, out, err = self.lagnet(*words, env={**os.environ, "LAGNET_PYTHON": self.python(SHOWS)})
        self.assertEqual((status, err), (0, ""))
        _, _, command, request, _ = json.loads(out)
        return command, json.loads(request)

    def test_options_are_handed_over_as_one_object(self):
        self.assertEqual(self.asked("prove", "extra", "own.py:Mine", "--seed", "7", "--badge", "b.svg", "--json"),
                         ("prove", {"names": ["extra", "own.py:Mine"], "all": False, "seed": 7, "examples": 20,
                                    "jobs": 1, "badge": "b.svg", "table": None, "json": True, "quiet": False}))
        command, request = self.asked("hunt", "s.json", "--set", "seed=3", "--runs", "9")
        self.assertEqual((command, request["scenario"], request["set"], request["runs"], request["seconds"]),
                         ("hunt", "s.json", ["seed=3"], 9, None))
        command, request = self.asked("hunt", "s.json", "--turning", "network.latency_ms", "--quiet")
        self.assertEqual((request["turning"], request["quiet"]), ("network.latency_ms", True))
        command, request = self.asked("artifact", "runs/a", "runs/b", "-o", "p.zip", "--author", "A", "--author", "B")
        self.assertEqual((command, request["runs"], request["out"], request["authors"]),
                         ("artifact", ["runs/a", "runs/b"], "p.zip", ["A", "B"]))
        self.assertEqual(self.asked("import", "p.xml", "--from", "simgrid", "-o", "s.json", "--replace", "--set",
                                    "seed=3"),
                         ("import", {"file": "p.xml", "from": "simgrid", "out": "s.json", "replace": True,
                                     "set": ["seed=3"], "json": False, "quiet": False}))
        self.assertEqual(self.asked("reproduce", "p.zip", "--jobs", "2"),
                         ("reproduce", {"artifact": "p.zip", "out": None, "jobs": 2, "json": False, "quiet": False}))

    def test_the_status_is_that_of_the_package(self):
        environment = {**os.environ, "LAGNET_PYTHON": self.python("import sys; sys.exit(1)")}
        self.assertEqual(self.lagnet("prove", "extra", env=environment)[0], 1)

    def test_what_is_missing_is_named(self):
        status, _, err = self.lagnet("prove", "extra", env={**os.environ, "LAGNET_PYTHON": "/no/python"})
        self.assertEqual(status, 2)
        self.assertIn("found no program /no/python", err)

    def test_options_without_sense_are_refused(self):
        for words, said in ((("prove",), "found none"), (("prove", "extra", "--all"), "found both"),
                            (("prove", "extra", "--badge", "b.png"), "b.png"),
                            (("artifact", "runs", "-o", "p.tar"), "p.tar"),
                            (("import", "p.xml", "--from", "visio"), "visio"),
                            (("import", "p.xml", "--replace"), "--replace"),
                            (("hunt", "s.json", "--maximize", "bytes", "--turning", "seed"), "--turning"),
                            (("reproduce", "p.zip", "--full"), "on an artifact")):
            with self.subTest(words):
                status, _, err = self.lagnet(*words)
                self.assertEqual(status, 2)
                self.assertIn(said, err)
