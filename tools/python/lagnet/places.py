"""Folders for results without `out`: they last as long as the objects that show them."""

from __future__ import annotations

import atexit
import os
import pathlib
import shutil
import tempfile
import uuid
import weakref
import zlib

from . import arrays
from .documents import with_paths_in
from .errors import InputError


class Keeper:
    """A folder that is removed with the last reference to this object."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self._finalizer = weakref.finalize(self, _remove, folder, os.getpid())


def _remove(folder: pathlib.Path, owner: int) -> None:
    if os.getpid() == owner:  # not in a process that was forked meanwhile
        shutil.rmtree(folder, ignore_errors=True)


def write_text(path: pathlib.Path, text: str) -> None:
    """Writes a file as a whole or not at all: whoever reads it meanwhile finds the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.partial")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


class Place:
    """Where one call writes: `out`, the folder of its results, and `inputs`, that of arrays, beside it."""

    _root: pathlib.Path | None = None

    def __init__(self, out: str | os.PathLike[str] | None) -> None:
        self.keeper: Keeper | None = None
        if out is not None:
            self.out = pathlib.Path(out).absolute()
        else:
            # Each has a folder of its own, in which the program makes and removes further ones beside the results.
            folder = pathlib.Path(tempfile.mkdtemp(prefix="", dir=self._temporary()))
            self.keeper = Keeper(folder)
            self.out = folder / "run"
        self.inputs = self.out.parent / arrays.FOLDER

    @classmethod
    def _temporary(cls) -> pathlib.Path:
        if cls._root is None or not cls._root.is_dir():
            cls._root = pathlib.Path(tempfile.mkdtemp(prefix="lagnet-"))
            atexit.register(_remove, cls._root, os.getpid())
        return cls._root


def keep(folder: pathlib.Path, target: pathlib.Path) -> None:
    """Copies results. Their scenarios name files relative to themselves, so these names are rewritten; given
    arrays are copied as well, beside the copy."""
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError(f"{target}: expected a new folder, or an empty one")
    shutil.copytree(folder, target, dirs_exist_ok=True)
    for scenario in sorted(target.rglob("scenario.json")):
        old = scenario.read_bytes()
        new = _moved_names(old, folder, scenario.parent, target)
        if new == old:
            continue
        scenario.write_bytes(new)
        for name in ("summary.json", "sweep.json"):  # each says which scenario it belongs to, and what files it read
            path = scenario.with_name(name)
            if path.is_file():
                text = path.read_bytes().replace(checksum(old), checksum(new))
                path.write_bytes(_moved_names(text, folder, scenario.parent, target))


def _moved_names(text: bytes, folder: pathlib.Path, now: pathlib.Path, target: pathlib.Path) -> bytes:
    """A file of results that were in `folder` and are in `target`, with the names of files as they are from `now`."""
    before = folder / now.relative_to(target)
    return with_paths_in(text, lambda name: _moved(name, before, now, target) if name.startswith("../") else name)


def _moved(name: str, before: pathlib.Path, now: pathlib.Path, target: pathlib.Path) -> str:
    """What a file is called from a folder that was elsewhere before."""
    path = pathlib.Path(os.path.normpath(os.path.join(os.path.realpath(before), name)))
    if path.parent.name == arrays.FOLDER:
        copies = target.parent / arrays.FOLDER
        copies.mkdir(exist_ok=True)
        path = pathlib.Path(shutil.copy2(path, copies))
    return os.path.relpath(os.path.realpath(path), os.path.realpath(now))


def checksum(scenario: bytes) -> bytes:
    """What summaries say of the scenario that they belong to."""
    return b'"scenario_crc32": "%08x"' % zlib.crc32(scenario)
