"""Runs cells: tunes them where they are tuned, runs them with every seed, and writes what came out as records."""

from __future__ import annotations

import hashlib
import json
import math
import os
import pathlib
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

from .. import commands, documents, process, words
from ..errors import AgentError, InputError, LagnetError, RunWarning, ScenarioError
from ..results import Result
from .cells import Cell, scenario_of
from .suite import CURRENCIES, Document, Entry, Suite

Record = dict[str, Any]

# Why a run that came to a good end stopped before its last level.
BUDGETS = ("simulated_s", "rounds", "updates")


class NoneChosen(LagnetError):
    """No candidate of a tuning comes to a good end."""

    def __init__(self, candidates: int) -> None:
        super().__init__(f"none of {candidates} candidates of the tuning ends without diverging")


def usable(scenario: Document) -> Document:
    """The scenario with files by their absolute paths, as it runs anywhere."""
    here = process.scenarios()
    found: Document = documents.with_paths(scenario, lambda path: os.path.normpath(here / path))
    return found


def asked_of(suite: Suite, cell: Cell) -> str:
    """The SHA-256 of everything that decides a record but for the build."""
    entry = suite.entries[cell.entry]
    told = [scenario_of(suite, entry, cell.problem, cell.profile), cell.variant, suite.levels, suite.seeds]
    if cell.variant == "tuned":
        told += [dict(entry.tune), suite.tuning]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def with_values(scenario: Document, values: dict[str, Any]) -> Document:
    """The scenario with values by their pointers."""
    changed: Document = json.loads(json.dumps(scenario))
    for pointer, value in values.items():
        documents.put(changed, pointer, value)
    return changed


def _tuned(suite: Suite, entry: Entry, scenario: Document) -> dict[str, Any]:
    """The values that are first to the last level, or that end nearest, over the tuning seed alone."""
    seed = suite.tuning["seed"]
    document = usable(scenario) | {"seed": seed}
    if "theory" in entry.tune.values():
        for option in entry.tune:
            document["algorithm"][option] = "tune"
        try:
            found = commands.run(document, check=False, jobs=1, progress=False)
        except ScenarioError:
            raise
        except InputError:  # which names a folder that lasts no longer
            raise NoneChosen(suite.tuning["candidates"]) from None
        return {pointer: found.scenario["algorithm"][option] for option, pointer in entry.pointers.items()}
    document["tune"] = {"candidates": suite.tuning["candidates"], "draws": "latin_hypercube",
                        "ranges": {entry.pointers[option]: {"low": ends[0], "high": ends[1]}
                                   for option, ends in entry.tune.items()}}
    chosen = commands.tune(document, jobs=1, progress=False).chosen
    if not chosen:
        raise NoneChosen(suite.tuning["candidates"])
    return chosen


def _level(rows: list[dict[str, Any]], level: float) -> Record:
    first = next((row for row in rows if row["relative_error"] is not None and row["relative_error"] <= level), None)
    return {"level": level, **{currency: None if first is None else first[currency] for currency in CURRENCIES}}


def _told(result: Result, seed: int, levels: list[float]) -> Record:
    """What a record has of one run."""
    if result.status == "error":
        return {"seed": seed, "status": "failed", "why": result.error, "rounds": 0, "relative_error": None,
                "trace_hash": "", "levels": [_level([], level) for level in levels]}
    rows = result.rows()
    stop = result.summary["stop"]
    last = rows[-1]["relative_error"]
    status = result.status if result.status != "done" else "budget" if stop["reason"] in BUDGETS else "reached"
    return {"seed": seed, "status": status, "why": stop["reason"], "rounds": stop["round"],
            "relative_error": last if last is None or math.isfinite(last) else None,
            "trace_hash": result.summary["trace_hash"], "levels": [_level(rows, level) for level in levels]}


def scenario_as_run(suite: Suite, cell: Cell) -> tuple[Document, Document | None]:
    """The scenario of a cell, tuned if its variant is, and what the tuning found. Raises NoneChosen, or ScenarioError
    for what lagnet refuses."""
    entry = suite.entries[cell.entry]
    scenario = scenario_of(suite, entry, cell.problem, cell.profile)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunWarning)
        problems = words.validate(usable(scenario))
        if problems:
            raise ScenarioError(problems)
        if cell.variant != "tuned":
            return scenario, None
        values = _tuned(suite, entry, scenario)
        return with_values(scenario, values), {**suite.tuning, "values": values}


def run_cell(suite: Suite, cell: Cell) -> Record:
    """The record of a cell. What lagnet refuses is a record too, with the reason."""
    entry = suite.entries[cell.entry]
    record: Record = {"league": suite.number, "problem": cell.problem, "profile": cell.profile, "entry": cell.entry,
                      "variant": cell.variant, "form": entry.form, "asked": asked_of(suite, cell),
                      "scenario": scenario_of(suite, entry, cell.problem, cell.profile),
                      "status": "ran", "reason": "", "tuning": None, "runs": []}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunWarning)
        try:
            record["scenario"], record["tuning"] = scenario_as_run(suite, cell)
            found = commands.sweep(usable(record["scenario"]), seeds=suite.seeds, jobs=1, progress=False)
        except (ScenarioError, NoneChosen, AgentError) as error:
            # A sentence of lagnet, without what it calls the scenario.
            reasons = [str(one) for one in error.problems] if isinstance(error, ScenarioError) else [str(error)]
            return {**record, "status": "refused", "reason": "; ".join(reasons).replace(f"{process.scenarios()}/", "")}
        record["runs"] = [_told(one, seed, suite.levels) for seed, one in zip(suite.seeds, found.runs, strict=True)]
    return record


def text_of(record: Record) -> str:
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


def write(path: pathlib.Path, text: str) -> None:
    """Writes a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.partial")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def facts_of(suite: Suite) -> Document:
    """league.json of a league folder."""
    return {"league": suite.number, "suite": suite.size, "build": {"lagnet": words.version()},
            "problems": list(suite.problems), "profiles": list(suite.profiles), "forms": list(suite.document["forms"]),
            "entries": list(suite.entries), "seeds": suite.seeds, "levels": suite.levels, "tuning": suite.tuning}


def is_there(suite: Suite, cell: Cell, out: pathlib.Path) -> bool:
    """Whether the folder has the record of a cell, made from the same files."""
    path = cell.path(out)
    if not path.is_file():
        return False
    try:
        return bool(json.loads(path.read_text(encoding="utf-8"))["asked"] == asked_of(suite, cell))
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: expected a record of the league, found a damaged file; remove it") from None


def _prepare(suite: Suite, out: pathlib.Path) -> None:
    """Writes league.json, or refuses the folder of another league."""
    facts, path = facts_of(suite), out / "league.json"
    if path.is_file():
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            found = {}
        differs = [key for key in facts if key != "entries" and found.get(key) != facts[key]]
        if differs:
            raise InputError("\n".join(f"{path}: /{key}: expected {json.dumps(facts[key])}, found "
                                       f"{json.dumps(found.get(key))}; choose another folder" for key in differs))
    elif out.exists() and any(out.iterdir()):
        raise InputError(f"{out}: expected a new folder, or one of a league, found other files there")
    write(path, text_of(facts))


def run(suite: Suite, out: pathlib.Path, cells: Iterable[Cell], jobs: int = 1, executor: Executor | None = None,
        tell: Callable[[int, int, Cell], None] = lambda done, all_of_them, cell: None) -> int:
    """Runs the cells whose records are missing, and writes each record as soon as it is there; gives their number.

    executor: any of concurrent.futures, whose workers have lagnet; by default `jobs` processes of this machine.
    tell: is told after each record how many are done, of how many, and the cell
    """
    _prepare(suite, out)
    missing = [cell for cell in cells if not is_there(suite, cell, out)]
    own = None
    if executor is None and jobs > 1:
        executor = own = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        if executor is None:
            for done, cell in enumerate(missing, 1):
                write(cell.path(out), text_of(run_cell(suite, cell)))
                tell(done, len(missing), cell)
        else:
            running: dict[Future[Record], Cell] = {executor.submit(run_cell, suite, cell): cell for cell in missing}
            for done, one in enumerate(as_completed(running), 1):
                write(running[one].path(out), text_of(one.result()))
                tell(done, len(missing), running[one])
    finally:
        if own is not None:
            own.shutdown(cancel_futures=True)
    return len(missing)
