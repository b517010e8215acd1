"""What can be proved of a league's folder: records agree with the league's files, tables with the records, and records
with what lagnet gives when it tunes and runs again."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import pathlib
import random
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from ..errors import InputError
from . import from_tables, records, tables
from .cells import Cell, cells_of, scenario_of
from .records import League
from .running import Record, asked_of, facts_of, run_cell, text_of, with_values
from .suite import Suite

TOLD_BY_TABLES = ("league", "problems", "profiles", "seeds", "levels")

@dataclasses.dataclass(frozen=True)
class Verdict:
    """What was proved: `records` were compared with the league's files, `repeated` of them were tuned and run again.
    faults: a sentence for each disagreement"""

    records: int
    repeated: list[str]
    faults: list[str]
    missing: int = 0
    tables: tuple[str, ...] = ()


def cell_named(name: str) -> Cell:
    """The cell of "ridge/phones/extra.tuned"; raises InputError for another form."""
    parts = name.split("/")
    if len(parts) != 3 or "." not in parts[2]:
        raise InputError(f"cell: expected PROBLEM/PROFILE/ENTRY.VARIANT, found {name}")
    entry, _, variant = parts[2].rpartition(".")
    return Cell(parts[0], parts[1], entry, variant)


def read_record(path: pathlib.Path) -> Record:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: expected a record of the league, found none that can be read: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"{path}: expected a record of the league, found {type(found).__name__}")
    return found


def _differences(found: object, right: object, pointer: str = "") -> list[str]:
    """Where a record differs, the first few by their pointers."""
    if isinstance(found, dict) and isinstance(right, dict):
        keys = [*found, *(key for key in right if key not in found)]
        return [one for key in keys for one in _differences(found.get(key), right.get(key), f"{pointer}/{key}")]
    if isinstance(found, list) and isinstance(right, list) and len(found) == len(right):
        return [one for k, (a, b) in enumerate(zip(found, right)) for one in _differences(a, b, f"{pointer}/{k}")]
    same = type(found) is type(right) and found == right
    return [] if same else [f"{pointer}: expected {json.dumps(right)}, found {json.dumps(found)}"]


def faults_of(suite: Suite, cell: Cell, record: Record) -> list[str]:
    """What of a record disagrees with the league's files, without a run."""
    entry = suite.entries[cell.entry]
    tuning = record.get("tuning")
    right: Record = {"league": suite.number, "problem": cell.problem, "profile": cell.profile, "entry": cell.entry,
                     "variant": cell.variant, "form": entry.form, "asked": asked_of(suite, cell)}
    values: dict[str, Any] = {}
    if record.get("status") == "ran":
        right["seeds"] = suite.seeds
        right["levels"] = [suite.levels] * len(suite.seeds)
    if tuning is not None and isinstance(tuning, dict):
        values = tuning.get("values") or {}
        right["tuning"] = {**suite.tuning, "values": {one: values.get(one) for one in entry.pointers.values()}}
    elif cell.variant == "tuned" and record.get("status") == "ran":
        right["tuning"] = suite.tuning
    else:
        right["tuning"] = None
    right["scenario"] = with_values(scenario_of(suite, entry, cell.problem, cell.profile), values)
    runs = record.get("runs") or []
    told: Record = {**{key: record.get(key) for key in right}, "seeds": [run.get("seed") for run in runs],
            "levels": [[level.get("level") for level in run.get("levels", [])] for run in runs]}
    faults = [one for key in right for one in _differences(told[key], right[key], f"/{key}")]
    faults += [f"/tuning/seed: expected one that no run has, found {tuning['seed']}"] if (
        isinstance(tuning, dict) and tuning.get("seed") in told["seeds"]) else []
    return [f"{cell.name}: {fault}" for fault in faults]


def repeated_faults(suite: Suite, cell: Cell, record: Record) -> list[str]:
    """What comes out otherwise when a cell is tuned and run again."""
    again = json.loads(text_of(run_cell(suite, cell)))
    return [f"{cell.name}: {fault}, run again" for fault in _differences(record, again)]


def repeated_rows(suite: Suite, cell: Cell, told: League) -> list[str]:
    """Where rows of tables come out otherwise when their cell is tuned and run again. told: the cell alone."""
    again = records.of_documents(facts_of(suite), [run_cell(suite, cell)])
    return [f"{cell.name}: {fault}, run again" for fault in tables.rows_apart(told, again)]


def _again(task: tuple[Suite, Cell, Record | League]) -> list[str]:
    suite, cell, told = task
    return repeated_rows(suite, cell, told) if isinstance(told, League) else repeated_faults(suite, cell, told)


def _of_records(suite: Suite, folder: pathlib.Path, cells: list[Cell]) -> tuple[dict[Cell, Record], list[str]]:
    """The records of these cells, and what of the folder disagrees without a run."""
    told = read_record(folder / "league.json")
    faults = [f"league.json: {one}" for one in _differences(
        {key: value for key, value in told.items() if key != "entries"},
        {key: value for key, value in facts_of(suite).items() if key != "entries"})]
    known = {one.path(folder) for one in cells_of(suite, list(suite.entries))}
    faults += [f"{path.relative_to(folder)}: expected a record of a cell of this league, found another file"
               for path in sorted((folder / "records").rglob("*.json")) if path not in known]
    found = {one: read_record(one.path(folder)) for one in cells if one.path(folder).is_file()}
    for one, record in found.items():
        faults += faults_of(suite, one, record)
    return found, faults


def _of_tables(suite: Suite, folder: pathlib.Path, cells: list[Cell]) -> tuple[dict[Cell, League], list[str]]:
    """The same of a folder that has tables alone: each cell as a league of its rows."""
    league = from_tables.read(folder, suite.folder)
    facts = facts_of(suite)
    faults = [f"tables: {one}" for one in _differences(
        {key: league.document[key] for key in TOLD_BY_TABLES}, {key: facts[key] for key in TOLD_BY_TABLES})]
    found = {Cell(one.problem, one.profile, one.entry, one.variant): dataclasses.replace(league, records=(one,))
             for one in league.records}
    known = set(cells_of(suite, list(suite.entries)))
    faults += [f"{one.name}: expected rows of cells of this league, found others" for one in found if one not in known]
    return {one: found[one] for one in cells if one in found}, faults


def verify(suite: Suite, folder: pathlib.Path, share: float = 0.02, seed: int = 1, cell: Cell | None = None,
           jobs: int = 1, check_tables: Callable[[pathlib.Path], Iterable[str]] = lambda folder: (),
           tell: Callable[[int, int, Cell], None] = lambda done, all_of_them, cell: None) -> Verdict:
    """Proves a folder of records, or one of tables alone.

    share: part of its cells that are tuned and run again, drawn by `seed`; at least one. cell: this one alone.
    check_tables: gives the sentences on tables in the folder that disagree with its records
    tell: is told after each cell how many have run again, of how many, and the cell
    """
    cells = cells_of(suite, list(suite.entries)) if cell is None else [cell]
    for one in cells[:1] if cell is not None else []:
        if one.entry not in suite.entries or one.problem not in suite.problems or one.profile not in suite.profiles:
            raise InputError(f"cell: expected a problem, network and entry of the league, found {one.name}")
    there: Mapping[Cell, Record | League]
    if from_tables.is_alone(folder):
        there, faults = _of_tables(suite, folder, cells)
    else:
        there, faults = _of_records(suite, folder, cells)
    if not there:
        raise InputError(f"{folder}: expected records of the league, found none of {len(cells)} cells")
    drawn = list(there) if cell is not None else sorted(
        random.Random(seed).sample(list(there), max(1, round(share * len(there)))) if share > 0 else [])
    tasks = [(suite, one, there[one]) for one in drawn]
    with contextlib.ExitStack() as stack:
        each: Callable[..., Iterable[list[str]]] = map
        if jobs > 1 and len(tasks) > 1:
            each = stack.enter_context(ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))).map
        for done, (one, outcome) in enumerate(zip(drawn, each(_again, tasks), strict=True), 1):
            faults += [fault for fault in outcome if fault.removesuffix(", run again") not in faults]
            tell(done, len(tasks), one)
    faults += check_tables(folder)
    return Verdict(len(there), [one.name for one in drawn], faults, len(cells) - len(there))
