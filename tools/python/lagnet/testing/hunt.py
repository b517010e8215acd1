"""Searches for the world that breaks a scenario: draws networks, faults, computers and sizes around it, until a claim
fails, a run deadlocks or diverges, or an invariant breaks, and shrinks what it found to a scenario of a few lines."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from .. import words
from ..documents import document_of, put, with_paths
from ..errors import InputError, LagnetError, ScenarioError
from .hunting import corpus, ranges as ranges_of
from .hunting.children import children
from .hunting.search import Search
from .hunting.trees import TITLES, Document, Edit, replaced

SECONDS = 60.0  # by default, if neither runs nor seconds are given
Tell = Callable[[str], None]


@dataclasses.dataclass(frozen=True)
class Finding:
    """A world that fails.

    kind: "claim", "deadlock", "diverged", "endless", "error", "invariant", "internal", "crash" or "hang"
    sentence: what happens, with its numbers. document: the shrunk scenario, which run() takes. changes: in what it
    differs from one that does not fail so. number: of the world among those that were drawn. fields, of_fields: how
    many numbers and texts the shrunk scenario has, and how many the world had. path: its file, if the hunt has `out`
    """

    kind: str
    sentence: str
    document: Document
    changes: tuple[Edit, ...]
    number: int
    fields: int
    of_fields: int
    path: pathlib.Path | None = None

    def __str__(self) -> str:
        return self.sentence if self.sentence.startswith(self.kind) else f"{self.kind}: {self.sentence}"

    def as_json(self) -> dict[str, Any]:
        """What `lagnet hunt --json` prints of it."""
        return {**dataclasses.asdict(self), "path": None if self.path is None else str(self.path)}


@dataclasses.dataclass(frozen=True)
class Hunt:
    """What a hunt found. runs: how many worlds were drawn; refused: how many of them no run takes; shrinking: how many
    runs more the shrinking took; coverage: how many different things were seen."""

    findings: tuple[Finding, ...]
    runs: int
    refused: int
    shrinking: int
    coverage: int

    def __bool__(self) -> bool:
        return bool(self.findings)


def plain_scenario(scenario: Any, set: Mapping[str, Any] | None = None) -> Document:
    """The scenario as one document, with files by their absolute paths, and one seed instead of a sweep over seeds.
    Raises ScenarioError for what is wrong with it."""
    if problems := words.validate(scenario, set=set):
        raise ScenarioError(problems, str(scenario) if isinstance(scenario, (str, os.PathLike)) else "scenario")
    document, path = document_of(scenario)
    assert document is not None
    for key, value in (set or {}).items():
        put(document, key, value)
    folder = pathlib.Path.cwd() if path is None else path.absolute().parent
    made: Document = with_paths(document, lambda name: os.path.normpath(folder / name))
    sweep = made.get("sweep")
    if isinstance(sweep, dict) and "/seed" in sweep:
        made["seed"] = sweep.pop("/seed")[0]
        if not sweep:
            del made["sweep"]
    return {"lagnet": 1, **made}


def hunt(scenario: Any, *, set: Mapping[str, Any] | None = None, within: Mapping[str, Any] | None = None,
         runs: int | None = None, seconds: float | None = None, seed: int = 1, jobs: int = 1,
         out: str | os.PathLike[str] | None = None, resume: bool = False, findings: int = 1,
         tell: Tell | None = None) -> Hunt:
    """Draws worlds around a scenario until `findings` different failures are found, or the budget is used up.

    set: values of the scenario, as in run(). within: the keys to draw, each with [low, high], another list of values,
    or None for all draws of that key; by default everything is drawn. runs, seconds: the budget; 60 s by default. The
    worlds of a seed are the same for any jobs and budget. jobs: processes. out: a folder for the corpus, the log and
    the findings. resume: goes on with the hunt in `out`.

    >>> import lagnet
    >>> from lagnet.testing.hunt import hunt
    >>> found = hunt(lagnet.example("gossip"), set={"stop.rounds": 30}, within={"/network/loss_probability": [0, 0.3]},
    ...              runs=20)
    >>> len(found.findings), found.runs
    (0, 20)
    """
    base = plain_scenario(scenario, set)
    for name, value, least in (("runs", runs, 1), ("jobs", jobs, 1), ("findings", findings, 1), ("seed", seed, 0)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
            raise InputError(f"{name}: expected an integer from {least}, found {value!r}")
    if seconds is not None and not seconds > 0:
        raise InputError(f"seconds: expected a number above 0, found {seconds!r}")
    drawn = ranges_of.ranges_of(within, lambda pointer, value: [
        str(one) for one in words.validate(replaced(base, pointer, value)) if one.pointer == pointer])
    folder, state = _begun(out, resume, {"scenario": base, "within": dict(within or {}), "seed": seed})
    made = [_finding(one, place, folder) for place, one in enumerate(state.findings)]

    def take(found: dict[str, Any]) -> None:
        made.append(_finding(found, len(made), folder))
        if tell is not None:
            tell(f"world {found['number']}: {made[-1]}")

    if seconds is None and runs is None:
        seconds = SECONDS
    begun = told = time.monotonic()
    first = state.number
    with children(jobs) as pool:
        search = Search(base, seed, drawn, pool, state, take)
        while len(made) < findings and (runs is None or state.number < runs) and \
                (seconds is None or time.monotonic() < begun + seconds):
            end = search.next_end()
            is_whole = runs is None or end <= runs
            lines = search.batch(end if is_whole or runs is None else runs, findings)
            if folder is not None and is_whole and len(made) < findings:
                folder.save(state, lines)
            now = time.monotonic()
            if tell is not None and now > told + 5:
                told = now
                tell(f"{state.number} worlds, {(state.number - first) / (now - begun):.0f} a second, "
                     f"{len(state.features)} things seen, {len(made)} found")
    counts = state.counts
    return Hunt(tuple(made), state.number, counts.get("refused", 0), counts.get("shrinking", 0), len(state.features))


def _begun(out: str | os.PathLike[str] | None, resume: bool,
           identity: dict[str, Any]) -> tuple[corpus.Folder | None, corpus.State]:
    """The folder of the hunt, and the state to go on from."""
    if out is None:
        if resume:
            raise InputError("resume: expected out, the folder of a hunt, found none")
        return None, corpus.State()
    path = pathlib.Path(out).absolute()
    there = path / "hunt.json"
    if not resume:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise InputError(f"{out}: expected a new folder, or an empty one; with resume a hunt goes on")
        corpus.write(there, identity)
        return corpus.Folder(path), corpus.State()
    if not there.is_file():
        raise InputError(f"{out}: expected the folder of a hunt, found no hunt.json there")
    known = json.loads(there.read_text(encoding="utf-8"))
    for name, value in json.loads(json.dumps(identity)).items():
        if known.get(name) != value:
            raise InputError(f"{out}: expected the hunt of the same scenario, within and seed, found another {name}")
    return corpus.Folder(path), corpus.Folder(path).load()


def _finding(found: dict[str, Any], place: int, folder: corpus.Folder | None) -> Finding:
    """What the state has of a finding, written to its file."""
    world = {key: value for key, value in found["document"].items() if key not in TITLES}
    document = {"lagnet": 1, "name": f"found{place:03}", "description": found["sentence"], **world}
    path = None
    if folder is not None:
        near = folder.path / "found"
        path = near / f"{place:03}.json"
        corpus.write(path, with_paths(document, lambda name: os.path.relpath(name, near)))
    return Finding(found["kind"], found["sentence"], document, tuple(Edit(**one) for one in found["changes"]),
                   found["number"], found["fields"], found["of_fields"], path)
