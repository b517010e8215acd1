"""Searches for the world that breaks a scenario: draws networks, faults, computers and sizes around it, until a claim
fails, a run deadlocks or diverges, or an invariant breaks, and shrinks what it found to a scenario of a few lines."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import pathlib
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from ..documents import document_of, pointer_of, with_paths
from ..errors import InputError
from .hunting import answer, corpus
from .hunting.base import check_budget, plain_scenario
from .hunting.children import children
from .hunting.ranges import ranges_of
from .hunting.search import Search
from .hunting.trees import TITLES, Document, Edit
from .turning import smallest, turning
from .worst import worst

SECONDS = 60.0  # by default, if neither runs nor seconds are given
BETWEEN_LINES_S, BETWEEN_LINES_OF_A_LOG_S = 5.0, 60.0
SUMMARY = ("/stop/", "/totals/", "/optimum/", "/constants/", "/last_row/")  # numbers of summary.json, not of a scenario
SAYS_ITSELF = ("deadlock", "diverged")  # kinds of findings whose sentences are the program's, which begin with it
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
        return self.sentence if self.kind in SAYS_ITSELF else f"{self.kind}: {self.sentence}"


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


def hunt(scenario: Any, *, set: Mapping[str, Any] | None = None, within: Mapping[str, Any] | None = None,
         runs: int | None = None, seconds: float | None = None, seed: int = 1, jobs: int = 1,
         out: str | os.PathLike[str] | None = None, resume: bool = False, findings: int = 1,
         tell: Tell | None = None) -> Hunt:
    """Draws worlds around a scenario until `findings` different failures are found, or the budget is used up.

    set: values of the scenario, as in run(). within: the keys to draw, each with [low, high], another list of values,
    or None for all draws of that key; by default everything is drawn. runs, seconds: the budget; 60 s by default, and
    as long again to shrink what was found. The worlds of a seed are the same for any jobs and budget. jobs: processes.
    out: a folder for the corpus, the log and the findings. resume: goes on with the hunt in `out`.

    >>> import lagnet
    >>> from lagnet.testing import hunt
    >>> found = hunt(lagnet.example("gossip"), set={"stop.rounds": 30}, within={"/network/loss_probability": [0, 0.3]},
    ...              runs=20)
    >>> len(found.findings), found.runs
    (0, 20)
    """
    base = plain_scenario(scenario, set)
    check_budget(runs, seconds, jobs, seed)
    if isinstance(findings, bool) or not isinstance(findings, int) or findings < 1:
        raise InputError(f"findings: expected an integer from 1, found {findings!r}")
    drawn = ranges_of(within, base)
    folder, state = _begun(out, resume, {"scenario": base, "within": dict(within or {}), "seed": seed})
    made = [_finding(one, place, folder) for place, one in enumerate(state.findings)]

    def take(found: dict[str, Any]) -> None:
        made.append(_finding(found, len(made), folder))
        if tell is not None and findings > 1:
            tell(f"world {found['number']}: {made[-1]}")

    if seconds is None and runs is None:
        seconds = SECONDS
    begun = told = time.monotonic()
    first = state.number
    with children(jobs) as pool:
        search = Search(base, seed, drawn, pool, state, take, math.inf if seconds is None else seconds)
        while len(made) < findings and (runs is None or state.number < runs) and \
                (seconds is None or time.monotonic() < begun + seconds):
            end = search.next_end()
            is_whole = runs is None or end <= runs
            lines = search.batch(end if is_whole or runs is None else runs, findings)
            if folder is not None and is_whole and len(made) < findings:
                folder.save(state, lines)
            now = time.monotonic()
            if tell is not None and now > told + (BETWEEN_LINES_S if sys.stderr.isatty() else BETWEEN_LINES_OF_A_LOG_S):
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
    path = pathlib.Path(out)
    folder = corpus.Folder(path, identity)
    if resume:
        folder.check()
        return folder, folder.load()
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise InputError(f"{out}: expected a new folder, or an empty one; with resume a hunt goes on")
    return folder, corpus.State()


def _finding(found: dict[str, Any], place: int, folder: corpus.Folder | None) -> Finding:
    """What the state has of a finding, written to its file."""
    world = {key: value for key, value in found["document"].items() if key not in TITLES}
    document = {"lagnet": 1, "name": f"found{place:03}", "description": found["sentence"], **world}
    path = None
    if folder is not None:
        folder.begin()
        near = folder.path / "found"
        path = near / f"{place:03}.json"
        corpus.write(path, with_paths(document, lambda name: os.path.relpath(name, near)))
    return Finding(found["kind"], found["sentence"], document, tuple(Edit(**one) for one in found["changes"]),
                   found["number"], found["fields"], found["of_fields"], path)


def main(request: Mapping[str, Any]) -> int:
    """What `lagnet hunt` does with its options; gives the exit status, 1 if a failure was found."""
    try:
        return _answered(request)
    except KeyboardInterrupt:
        out = request.get("out")
        goes_on = f"; --resume goes on with {out}" if out and (pathlib.Path(out) / corpus.IDENTITY).is_file() else ""
        print(f"hunt: interrupted{goes_on}", file=sys.stderr)
        raise


def _answered(request: Mapping[str, Any]) -> int:
    within = _read_within(request.get("within"))
    asked: dict[str, Any] = {"set": _settings(request.get("set") or []), "jobs": request.get("jobs") or 1}
    budget = {"runs": request.get("runs"), "seconds": request.get("seconds"), "seed": request.get("seed", 1)}
    searched = [name for name in ("maximize", "minimize", "turning") if request.get(name)]
    if len(searched) > 1:
        raise InputError(f"--{searched[0]} and --{searched[1]} exclude each other")
    scenario, is_json = request["scenario"], bool(request.get("json"))
    if not searched:
        found = hunt(scenario, within=within, **budget, **asked, out=request.get("out"),
                     resume=bool(request.get("resume")), findings=request.get("findings") or 1,
                     tell=None if request.get("quiet") else lambda text: print(text, file=sys.stderr, flush=True))
        _print(found, answer.of_hunt(found), request)
        return 1 if found.findings else 0
    for name in ("out", "resume"):
        if request.get(name):
            raise InputError(f"--{name}: has no effect beside --{searched[0]}, which keeps nothing")
    if request.get("findings", 1) != 1:
        raise InputError(f"--findings: has no effect beside --{searched[0]}, which looks for a number")
    key = str(request[searched[0]])
    is_of_key = searched[0] == "turning" or (key.startswith("/") and not key.startswith(SUMMARY))
    for name in ("runs", "seconds"):
        if is_of_key and request.get(name) is not None:
            raise InputError(f"--{name}: has no effect on a search along one key, which ends by itself")
    if searched[0] == "turning":
        turns, level = turning(scenario, key, within, to=request.get("to"), **asked)
        _print({"level": level, "turns": [dataclasses.asdict(one) for one in turns]} if is_json else None,
               answer.of_turns(key, turns, level), request)
    elif is_of_key:
        edge = smallest(scenario, key, within or {}, largest=searched[0] == "maximize", **asked)
        _print(edge, answer.of_edge(key, edge), request)
    else:
        found_worst = worst(scenario, key, within or {}, smallest=searched[0] == "minimize", **budget, **asked)
        _print(found_worst, answer.of_worst(key, found_worst), request)
    return 0


def _print(found: Any, text: str, request: Mapping[str, Any]) -> None:
    if request.get("json"):
        print(answer.as_json(found))
    elif not request.get("quiet"):
        print(text)


def _settings(given: list[str]) -> dict[str, Any]:
    """The values of --set KEY=VALUE, by their pointers: JSON, or else a text."""
    found = {}
    for one in given:
        key, equals, text = one.partition("=")
        if not equals:
            raise InputError(f"--set: expected KEY=VALUE, found {one}")
        try:
            found[pointer_of(key)] = json.loads(text)
        except ValueError:
            found[pointer_of(key)] = text
    return found


def _read_within(path: str | None) -> dict[str, Any] | None:
    if path is None:
        return None
    document, _ = document_of(pathlib.Path(path))
    if document is None:
        raise InputError(f"{path}: expected a JSON object with keys and their ranges")
    return document
