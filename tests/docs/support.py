"""What the tests of the documentation share: its parts as modules, and a repository of a few files to try them on."""

import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/_ext"))
import links  # noqa: E402, F401
import pages  # noqa: E402
import staging  # noqa: E402
from programs import Programs  # noqa: E402

PROGRAM = os.environ.get("LAGNET", str(ROOT / "build/release/bin/lagnet"))


class Case(unittest.TestCase):
    """Each test has a repository of its own in self.folder, which pages and staging take for theirs."""

    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name).resolve()
        for module in (pages, staging):
            patch = mock.patch.object(module, "ROOT", self.folder)
            patch.start()
            self.addCleanup(patch.stop)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def run_page(self, text):
        """A page of docs/ that has been run."""
        work = self.folder / "work"
        work.mkdir(exist_ok=True)
        return pages.Page(self.write("docs/page.md", text), work, Programs(PROGRAM, self.folder, work)).run()

    def problems(self, *lines):
        return self.run_page("\n".join(lines) + "\n").problems
