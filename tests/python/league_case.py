"""What tests of the league share."""

import contextlib
import io
import json
import pathlib
import shutil

import lagnet
from lagnet.league import cells, running
from lagnet.testing.__main__ import main
from support import Case

CELLS = [cells.Cell("ridge", "data_center", entry, variant)
         for entry, variant in (("giant", "default"), ("nids", "default"), ("nids", "tuned"))]
ASKED = {"small": True, "problems": ["ridge"], "profiles": ["data_center"], "entries": ["giant", "nids"]}


class LeagueCase(Case):
    """Commands of the league in this process, and a folder of it, `out`."""

    def league(self, **options):
        """Ends with the status that the command line would have; what it printed is in `self.printed`."""
        status, self.printed, self.complained = self.told(
            lambda: main(["league", json.dumps({"folder": "out", "jobs": 1, **options})]))
        return status

    def told(self, work):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = work()
        return status, out.getvalue(), err.getvalue()

    def copied(self):
        """A copy of the league's files that may be changed."""
        shutil.copytree(lagnet.scenarios() / "league", "files")
        return pathlib.Path("files")

    def record(self, cell=CELLS[2]):
        return cell.path(pathlib.Path("out"))

    def change(self, path, change):
        document = json.loads(path.read_text())
        change(document)
        path.write_text(running.text_of(document))
