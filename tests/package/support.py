"""What the tests of packages share. LAGNET names the program under test, LAGNET_BUILD_TREE its build folder."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = pathlib.Path(os.environ.get("LAGNET", ROOT / "build/release/bin/lagnet"))
TREE = pathlib.Path(os.environ.get("LAGNET_BUILD_TREE", ROOT / "build/release"))
DEBIAN = ROOT / "tools/package/debian"


def call(*words, **options):
    """What a command prints; it has to succeed."""
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=300, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def text(path):
    return path.read_text(encoding="utf-8")


def listed(path, part=None):
    """The packages of a list of tools/packages, or those below one of its headings."""
    found, heading = set(), ""
    for line in text(path).splitlines():
        heading = line.lstrip("# ") if line.startswith("#") else heading
        if line.strip() and not line.startswith("#") and part in (None, heading):
            found.add(line.split("#")[0].strip())
    return found


def field(stanza, name):
    """A field of a stanza of debian/control, as its items."""
    value = re.search(rf"^{name}:((?:.*\n)(?:[ \t].*\n)*)", stanza + "\n", re.M)[1]
    return {re.sub(r"[ \t]*[(<].*", "", item.strip()) for item in value.replace("\n", " ").split(",") if item.strip()}


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name).resolve()


sys.dont_write_bytecode = True
