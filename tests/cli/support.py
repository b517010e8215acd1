"""What the tests of the command line share. The program under test is named by the environment variable LAGNET."""

import copy
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools/python"))  # whose reader of scenarios serves here, too
from lagnet.documents import without_comments  # noqa: E402, F401
PROGRAM = os.environ.get("LAGNET", "lagnet")
SNAPSHOTS = pathlib.Path(__file__).resolve().parent / "snapshots"
RENEWS = os.environ.get("LAGNET_RENEW") == "1"  # writes snapshots instead of comparing with them
DECLARED = re.search(r"project\(lagnet VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
VERSION = DECLARED[1]

# Runs in a few milliseconds; draws nothing but its data.
SMALL = {
    "lagnet": 1,
    "name": "small",
    "data": {"source": "gaussian_regression", "samples": 20, "features": 7},
    "problem": {"loss": {"kind": "squared"}, "regularizer": {"kind": "l1", "weight": 0.01}},
    "topology": {"kind": "ring", "agents": 5},
    "network": {"latency_ms": 2},
    "algorithm": {"kind": "fd_primal_dual"},
    "stop": {"rounds": 12},
    "record": {"every": 4},
}


def changed(document, changes):
    """A copy with the values at some JSON pointers replaced, or removed where the new value is Ellipsis."""
    document = copy.deepcopy(document)
    for pointer, value in changes.items():
        *path, last = pointer.split("/")[1:]
        at = document
        for key in path:
            at = at[int(key)] if isinstance(at, list) else at.setdefault(key, {})
        if isinstance(at, list):
            last = int(last)
        if value is ...:
            del at[last]
        else:
            at[last] = value
    return document


class Case(unittest.TestCase):
    """Each test has a folder of its own, self.folder, in which the program runs."""

    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name).resolve()

    def lagnet(self, *arguments, **options):
        """Exit status, stdout and stderr."""
        run = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                             timeout=120, check=False, **options)
        return run.returncode, run.stdout, run.stderr

    def succeeds(self, *arguments):
        status, out, err = self.lagnet(*arguments)
        self.assertEqual((status, err), (0, ""), out)
        return out

    def check_snapshot(self, name, texts):
        """Compares texts by title with snapshots/NAME.txt; LAGNET_RENEW=1 writes that file instead."""
        file = SNAPSHOTS / f"{name}.txt"
        if RENEWS:
            file.write_text("".join(f"== {title}\n{text}" for title, text in texts.items()), encoding="utf-8")
        parts = re.split(r"^== (.*)\n", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        self.assertEqual(texts, dict(zip(parts[1::2], parts[2::2], strict=True)), "LAGNET_RENEW=1 writes it again")

    def end_process(self, process):
        """Kills it, and closes the pipe of its messages."""
        process.kill()
        process.wait()
        process.stderr.close()

    def write(self, name, content):
        path = self.folder / name
        if not isinstance(content, (str, bytes)):
            content = json.dumps(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def write_small(self, changes=None, name="s.json"):
        return self.write(name, changed(SMALL, changes or {}))

    def run_small(self, out, changes=None, *arguments):
        self.write_small(changes, f"{out}.json")
        self.succeeds("run", f"{out}.json", "--out", out, "--quiet", *arguments)
        return self.folder / out

    def table(self, path):
        """The rows of a CSV file as dictionaries; fails if a row has more or fewer cells than the header."""
        with open(self.folder / path, newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
        for row in rows:
            self.assertEqual(len(row), len(header), row)
        return [dict(zip(header, row)) for row in rows]

    def tree(self):
        """Every file and folder below self.folder, with the files' bytes."""
        return {str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else None
                for path in sorted(self.folder.rglob("*"))}
