"""What the site is made with: the program, Python, and digests of what decides what they print."""

import hashlib
import os
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Programs:
    """`lagnet` is the program; `tree` the build folder that it is from, which has the module of the Python package."""

    def __init__(self, lagnet, tree, work):
        self.lagnet = pathlib.Path(lagnet).resolve()
        self.tree = pathlib.Path(tree).resolve()
        self.bin = work / ".bin"
        shutil.rmtree(self.bin, ignore_errors=True)
        self.bin.mkdir(parents=True)
        (self.bin / "lagnet").symlink_to(self.lagnet)
        (self.bin / "python3").symlink_to(sys.executable)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("LAGNET", "PYTHON"))},
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}", "LAGNET": str(self.lagnet), "NO_COLOR": "1",
            "LAGNET_MODULE_FOLDER": str(self.tree / "python/lagnet"), "PYTHONPATH": str(ROOT / "tools/python"),
            "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "agg", "LC_ALL": "C.UTF-8", "COLUMNS": "100"}
        self.of_scenarios = self.digest(["scenarios"])
        self.of_all = self.digest(["scenarios", "docs", "tools/python"])

    def digest(self, parts):
        """Of the program and of what it reads in these folders of the repository."""
        digest = hashlib.sha256(self.lagnet.read_bytes())
        for part in parts:
            for path in sorted((ROOT / part).rglob("*")):
                if path.suffix in (".json", ".csv", ".py") and path.is_file() and "_ext" not in path.parts:
                    digest.update(str(path).encode() + path.read_bytes())
        return digest.digest()
