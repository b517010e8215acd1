"""Results with everything that they need, in one archive that reproduces itself: scenarios, data, classes in Python,
recorded numbers, claims and figures."""

from __future__ import annotations

import csv
import dataclasses
import json
import os
import pathlib
import platform
import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from typing import Any

from . import (archives, artifact_pages, classes, differences, documents, inside, manifests, memory, pages, places,
               results, sources, words)
from .errors import InputError, LagnetError

LARGEST_DATA = 64 << 20  # bytes of a file of data that is packed; of larger ones the digest, and how to get them
LARGEST_RESULT = 64 << 20  # bytes of a file of results, such as a trace; of larger ones the digest
NOT_RESULTS = ("report.html", "build.txt")  # which can be made again, or name the build
HOW = ".source"  # beside data: how others get it, in a sentence

CLAIM = ("statement", "paper", "verdict", "holds", "known_to_fail", "measured", "allowed")  # what is kept of each
NOT_DECIDED = "not decided"

_PLAIN = re.compile(r"[^\w.+=,-]+")


@dataclasses.dataclass
class Packed:
    """A result on its way into an archive."""

    name: str
    folder: pathlib.Path
    kind: str  # "run" or "sweep"
    files: list[pathlib.Path]  # in the folder
    documents: dict[pathlib.Path, Any]  # scenario.json by its path in the folder
    named: dict[pathlib.Path, str]  # files that these name, and their recorded digests, "" for none

    @property
    def scenario(self) -> Any:
        return self.documents[pathlib.Path("scenario.json")]


def artifact(runs: Any, out: str | os.PathLike[str], *, title: str | None = None, authors: Sequence[str] = (),
             replace: bool = False) -> pathlib.Path:
    """Packs results, one or several, into an archive that `lagnet reproduce FILE.zip` and reproduce() run again. The
    same results give the same bytes.

    runs: results or their folders; a folder of several, as reproduce() of a paper writes it, stands for all of them
    title, authors: for README.md and CITATION.cff in it. replace: another file of that name

    Raises InputError for everything at once that keeps the results from being run elsewhere, such as data that changed.
    Data of more than 64 MiB are not packed: their digest is, and the text of the file NAME.source beside them, which
    says how to get them.

    >>> import lagnet, pathlib, tempfile
    >>> result = lagnet.run(lagnet.example("gossip"), set={"stop.rounds": 3})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = lagnet.artifact(result, pathlib.Path(folder) / "gossip.zip", title="Gossip", authors=["A. Author"])
    ...     print([(one["name"], one["verdict"]) for one in lagnet.reproduce(made).runs])
    [('run', 'same')]
    """
    target = pathlib.Path(out).absolute()
    if target.is_dir():
        raise InputError(f"{target}: expected a file to write, found a folder")
    packed, wrong = _packed([runs] if isinstance(runs, (str, os.PathLike)) else list(runs))
    data = _data_of(packed, wrong)
    code = sources.Sources()
    for one in packed:
        for name in sorted({section["class"] for section in classes.sections(list(one.documents.values()))}):
            wrong += [f"{one.folder}: {text}" for text in code.add(name)]
        wrong += [f"{one.folder}: {text}; run it again with this source"
                  for text in classes.changed_sources(list(one.documents.values()))]
    if wrong:
        raise InputError("\n".join(dict.fromkeys(wrong)))
    with tempfile.TemporaryDirectory(prefix="lagnet-") as folder:
        stage = pathlib.Path(folder)
        entries = [_stage(one, data, stage) for one in packed]
        for name, path in code.files.items():
            _copy(path, stage / "sources" / name)
        for file in data.values():
            if file["included"]:
                _copy(file["path"], stage / file["name"])
        drawn = _figures(packed, stage)
        listed = {one["name"]: {key: value for key, value in one.items() if key != "path"} for one in data.values()}
        document = {
            "lagnet_artifact": manifests.FORMAT,
            "title": " ".join((title or ", ".join(one.name for one in packed)).split()),
            "authors": [" ".join(one.split()) for one in authors], "versions": versions_of(bool(code.files)),
            "relative_tolerance": differences.USUAL, "runs": entries, "figures": drawn,
            "data": [listed[name] for name in sorted(listed)]}
        for name, text in artifact_pages.pages_of(document).items():
            (stage / name).write_text(text, encoding="utf-8")
        files = {path.relative_to(stage).as_posix(): path for path in stage.rglob("*") if path.is_file()}
        document["members"] = {name: {"bytes": path.stat().st_size, "sha256": archives.digest_of(path)}
                               for name, path in sorted(files.items())}
        (stage / manifests.LIST).write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        archives.write({**files, manifests.LIST: stage / manifests.LIST}, target, replace)
    return target


# Which results


def _packed(runs: Sequence[Any]) -> tuple[list[Packed], list[str]]:
    """The results, and everything that is wrong with them."""
    folders, wrong = [], []
    for one in runs:
        path = pathlib.Path(os.fspath(one)).absolute()
        inner = sorted(path.iterdir()) if path.is_dir() and not _is_results(path) else []
        found = [path] if _is_results(path) else [folder for folder in inner if _is_results(folder)]
        if not found:
            wrong.append(f"{path}: expected the folder of a run or of a sweep, found "
                         + ("neither" if path.is_dir() else "nothing there"))
        folders += [folder for folder in found if folder not in folders]
    if not runs:
        wrong.append("expected results of a run or more, found none")
    packed = []
    for folder, name in zip(folders, _names_of(folders)):
        if any((folder / mark).exists() for mark in ("candidates.csv", "tune.json")):
            wrong.append(f"{folder}: expected a run or a sweep, found a tuning; run the scenario that it chose")
            continue
        try:
            packed.append(_read(folder, name))
        except (OSError, ValueError) as error:
            wrong.append(f"{folder}: expected whole results, found damaged ones: {error}")
    for one in packed:
        if any(memory.in_scenario(document) for document in one.documents.values()):
            wrong.append(f"{one.folder}: /data: expected data in a file, found arrays that stayed in memory; write "
                         "them to a file, and run it again")
    return packed, wrong


def _is_results(folder: pathlib.Path) -> bool:
    return any((folder / name).is_file() for name in (results.RUN, results.SWEEP))


def _names_of(folders: Sequence[pathlib.Path]) -> list[str]:
    """Short distinct names for members of an archive: those of the folders, with their parents' where these agree."""
    for depth in range(1, 20):
        names = [_PLAIN.sub("_", "-".join(folder.parts[1:][-depth:])) for folder in folders]
        if max(map(len, names), default=0) > manifests.LONGEST_NAME:
            break
        if len({name.casefold() for name in names}) == len(names):
            return names
    return [f"{number:03d}" for number in range(len(folders))]


def _read(folder: pathlib.Path, name: str) -> Packed:
    files = sorted(path.relative_to(folder) for path in folder.rglob("*")
                   if path.is_file() and path.name not in NOT_RESULTS)
    found, named = {}, dict[pathlib.Path, str]()
    for file in files:
        if file.name not in ("scenario.json", "summary.json"):
            continue
        document = json.loads((folder / file).read_text(encoding="utf-8"))
        if not isinstance(document, dict):
            raise ValueError(f"{file}: no object")
        here = folder / file.parent
        if file.name == "scenario.json":
            found[file] = document
            for path in manifests.named_files(document):
                named.setdefault(_resolved(path, here), "")
        else:
            for one in document.get("inputs") or []:
                named[_resolved(one["path"], here)] = one["sha256"]
    if pathlib.Path("scenario.json") not in found:
        raise ValueError("no scenario.json")
    return Packed(name, folder, "sweep" if (folder / results.SWEEP).is_file() else "run", files, found, named)


def _resolved(name: str, folder: pathlib.Path) -> pathlib.Path:
    return pathlib.Path(os.path.normpath(os.path.join(os.path.realpath(folder), name)))


# Data


def _data_of(packed: Iterable[Packed], wrong: list[str]) -> dict[pathlib.Path, dict[str, Any]]:
    """The files that scenarios name, with what the list says of each. They keep their names, which results mention."""
    data: dict[pathlib.Path, dict[str, Any]] = {}
    taken: dict[str, str] = {}
    for one in packed:
        for path, recorded in sorted(one.named.items()):
            try:
                digest = archives.digest_of(path)
            except OSError as error:
                wrong.append(f"{one.folder}: {path}: expected the data of the run, found none: {error.strerror}")
                continue
            if recorded and recorded != digest:
                wrong.append(f"{one.folder}: {path}: expected the data of the run, with the SHA-256 {recorded}, found "
                             f"another file, {digest}")
            name = f"data/{path.name}"
            if taken.setdefault(name.casefold(), digest) != digest:
                name = f"data/{digest[:12]}/{path.name}"
            if bad := archives.problem_of_name(name):
                wrong.append(f"{one.folder}: {path}: expected {bad}, found another one; rename the file")
            size = path.stat().st_size
            data[path] = {"name": name, "bytes": size, "sha256": digest, "included": size <= LARGEST_DATA, "path": path}
            how = path.with_name(path.name + HOW)
            if how.is_file():
                data[path]["how"] = how.read_text(encoding="utf-8").strip()
    return data


# What goes into the archive


def _copy(source: pathlib.Path, target: pathlib.Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _stage(one: Packed, data: dict[pathlib.Path, dict[str, Any]], stage: pathlib.Path) -> dict[str, Any]:
    """Copies results, whose scenarios then name the data of the archive; gives what the list says of them."""
    there = stage / "results" / one.name
    omitted = []
    for file in one.files:
        if (one.folder / file).stat().st_size > LARGEST_RESULT:
            omitted.append({"name": file.as_posix(), "bytes": (one.folder / file).stat().st_size,
                            "sha256": archives.digest_of(one.folder / file)})
        else:
            _copy(one.folder / file, there / file)
    for file in one.documents:
        _move(one.folder / file.parent, there / file.parent, data, stage)
    if one.kind == "sweep":
        _move_swept(one, there)
    claims = [{key: claim[key] for key in CLAIM} for claim in claims_of(there)]
    points = sum(1 for file in one.documents) - 1 if one.kind == "sweep" else 1
    return {"name": one.name, "kind": one.kind, "points": points, "source": one.scenario.get("source", ""),
            "description": one.scenario.get("description", ""), "has_python": inside.has_python(one.scenario)
            or any(map(inside.has_python, one.documents.values())), "claims": claims, "omitted": omitted}


def claims_of(folder: pathlib.Path) -> list[dict[str, Any]]:
    """The claims of results. Results of another scenario than the claims are about, such as one of its runs, decide
    none of them."""
    found = results.read(folder)
    try:
        return list(found.claims)
    except InputError as error:
        return [{"statement": str(one.get("statement", "")), "paper": "", "verdict": NOT_DECIDED, "holds": False,
                 "known_to_fail": None, "measured": str(error), "allowed": ""} for one in found.scenario["expect"]]


def _move(was: pathlib.Path, now: pathlib.Path, data: dict[pathlib.Path, dict[str, Any]], stage: pathlib.Path) -> None:
    """Rewrites the names of files, as text, so that all else keeps its bytes, and the checksums of what they are in."""
    def moved(name: str) -> str:
        return os.path.relpath(stage / data[_resolved(name, was)]["name"], now)

    scenario = now / "scenario.json"
    old = scenario.read_bytes()
    new = documents.with_paths_in(old, moved)
    scenario.write_bytes(new)
    for name in (results.RUN, results.SWEEP):
        path = now / name
        if path.is_file():
            text = path.read_bytes().replace(places.checksum(old), places.checksum(new))
            path.write_bytes(documents.with_paths_in(text, moved))


def _move_swept(one: Packed, there: pathlib.Path) -> None:
    """sweep.csv says a swept file as the scenario does."""
    swept = [pointer for pointer in documents.swept(one.scenario) if documents.names_files(pointer)]
    table = there / "sweep.csv"
    if not swept or not table.is_file():
        return
    with open(table, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        rows, columns = list(reader), list(reader.fieldnames or [])
    for row in rows:
        point = there / row["folder"]
        document = json.loads((point / "scenario.json").read_text(encoding="utf-8"))
        for pointer in swept:
            column, value = pointer.rpartition("/")[2], documents.get(document, pointer)
            if row.get(column) and isinstance(value, str):
                row[column] = os.path.relpath(_resolved(value, point), os.path.realpath(there))
    with open(table, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _figures(packed: Iterable[Packed], stage: pathlib.Path) -> list[str]:
    """A figure of each result, the scenario's own where it has one; none where this build cannot draw."""
    drawn = []
    for one in packed:
        try:
            figure = pages.figure([stage / "results" / one.name], "panels" if one.scenario.get("figure") else None)
        except LagnetError:
            continue
        path = stage / "figures" / f"{one.name}.svg"
        path.parent.mkdir(exist_ok=True)
        # Labels of swept files have absolute names.
        path.write_bytes(figure.data.replace(os.path.realpath(stage).encode() + b"/", b""))
        drawn.append(f"figures/{path.name}")
    return drawn


def versions_of(with_python: bool) -> dict[str, str]:
    """Those that numbers may depend on."""
    found = {"lagnet": words.version(), "machine": platform.machine()}
    if with_python:
        import numpy

        found.update(python=platform.python_version(), numpy=numpy.__version__)
    return found
