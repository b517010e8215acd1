"""What the project says of itself: pyproject.toml, the version of CMakeLists.txt, and which files are its own."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent


@dataclasses.dataclass(frozen=True)
class Project:
    """The table `project` of pyproject.toml, and the version."""

    table: dict[str, Any]
    version: str

    @classmethod
    def read(cls) -> Project:
        table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        lists = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        found = re.search(r"^project\(lagnet VERSION (\S+)", lists, re.M)
        if not found:
            raise ValueError("CMakeLists.txt names no version of lagnet")
        return cls(table, found[1])

    @property
    def full_name(self) -> str:
        return f"{self.table['name']}-{self.version}"

    @property
    def info_folder(self) -> str:
        return f"{self.full_name}.dist-info"

    @property
    def tag(self) -> str:
        """This Python and this system alone, as the compiled module is of them."""
        python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
        return f"{python}-{python}-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


def own_files() -> Iterator[str]:
    """The files of the sources, relative to their folder: those that git knows or would add, or where there is no git
    all but what is built."""
    if (ROOT / ".git").exists():
        command = ["git", "-C", str(ROOT), "-c", f"safe.directory={ROOT}", "ls-files", "-z", "--cached", "--others",
                   "--exclude-standard"]
        listed = subprocess.run(command, capture_output=True, text=True, check=False)
        if listed.returncode == 0:
            yield from sorted(name for name in set(listed.stdout.split("\0")) - {""} if (ROOT / name).is_file())
            return
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in (".git", "__pycache__")
                      and (folder != str(ROOT) or name not in ("build", "runs"))]
        found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names]
    yield from sorted(name for name in found if name != "PKG-INFO")
