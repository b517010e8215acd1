"""Files of other tools with scenarios that were written by hand for them, and how tests import them."""

import contextlib
import io
import json
import pathlib
import sys

import lagnet
from lagnet.importing import command
from lagnet.testing.__main__ import main
from support import ROOT, Case

DATA = ROOT / "tests" / "data" / "import"
# Each file, and the scenario that was written by hand for it.
FILES = {
    "decent_bench/sunny.py": "decent_bench/sunny.json",
    "decent_bench/drops.py": "decent_bench/drops.json",
    "decent_bench/composed.py": "decent_bench/composed.json",
    "flower/averaging/pyproject.toml": "flower/averaging.json",
    "flower/proximal/pyproject.toml": "flower/proximal.json",
    "flower/adaptive/pyproject.toml": "flower/adaptive.json",
    "simgrid/dumbbell.xml": "simgrid/dumbbell.json",
    "simgrid/clusters.xml": "simgrid/clusters.json",
    "simgrid/hops.xml": "simgrid/hops.json",
    "shadow/two_sites.yaml": "shadow/two_sites.json",
    "shadow/switch.yaml": "shadow/switch.json",
    "shadow/cities.graphml": "shadow/cities.json",
    "mahimahi/cell.down": "mahimahi/cell.json",
    "mahimahi/12mbps": "mahimahi/12mbps.json",
    "mahimahi/gap.down": "mahimahi/gap.json"}


class ImportingCase(Case):
    def imported(self, file, *settings, out="imported.json", form=None, replace=False):
        """The exit status, and what is printed."""
        request = {"file": str(file), "out": out, "from": form, "set": list(settings), "replace": replace}
        said = io.StringIO()
        path = list(sys.path)
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = main(["import", json.dumps(request)])
        sys.path[:] = path
        return status, said.getvalue()

    def document(self, file, *settings, form=None):
        """The scenario that a file becomes."""
        return command.draft_of(pathlib.Path(file), form, list(settings)).document

    def hashes(self, scenario):
        """The trace hash of each run of a scenario."""
        if "sweep" in lagnet.documents.parsed(pathlib.Path(scenario).read_text()):
            return [run.summary["trace_hash"] for run in lagnet.sweep(scenario)]
        return [lagnet.run(scenario).summary["trace_hash"]]
