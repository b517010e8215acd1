"""The records of a league, one file for each cell: an entry on a problem over a network profile. What was read is in
order: every mistake of every file is reported at once."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..errors import InputError

Document = dict[str, Any]

CURRENCIES = ("simulated_s", "bytes", "flops_per_agent_max", "joules")
VARIANTS = ("tuned", "default")
ENDS = ("reached", "budget", "diverged", "deadlock", "failed")  # how a run can end

LIST = "league.json"
MOST_SHOWN = 20

_LEAGUE = {"league": int, "suite": str, "problems": list, "profiles": list, "seeds": list, "levels": list}
_RECORD = {"league": int, "problem": str, "profile": str, "entry": str, "variant": str, "form": str, "scenario": dict,
           "status": str, "reason": str, "runs": list}
_RUN = {"seed": int, "status": str, "why": str, "rounds": int, "trace_hash": str, "levels": list}
_CALLED = {int: "an integer", str: "text", list: "a list", dict: "an object"}


@dataclasses.dataclass(frozen=True)
class Run:
    """A run of one seed. costs: by level and currency; None at a level that it did not reach."""

    seed: int
    status: str
    why: str
    rounds: int
    relative_error: float | None
    trace_hash: str
    costs: Mapping[float, Mapping[str, float | None]]


@dataclasses.dataclass(frozen=True)
class Record:
    """A cell. status: "ran", or "refused" for the `reason` that lagnet gives. tuning: the values that were found."""

    problem: str
    profile: str
    entry: str
    variant: str
    form: str
    status: str
    reason: str
    scenario: Document
    tuning: Document | None
    runs: tuple[Run, ...]

    @property
    def name(self) -> str:
        return f"{self.problem}/{self.profile}/{self.entry}.{self.variant}"

    @property
    def kind(self) -> str:
        """The kind of its algorithm."""
        algorithm = self.scenario.get("algorithm")
        return str(algorithm.get("kind", "")) if isinstance(algorithm, dict) else ""


@dataclasses.dataclass(frozen=True)
class League:
    """What was run, and the records in the suite's order: by problem, profile, name of the entry, tuned first."""

    number: int
    suite: str
    problems: tuple[str, ...]
    profiles: tuple[str, ...]
    seeds: tuple[int, ...]
    levels: tuple[float, ...]  # from the largest error to the smallest
    document: Document
    records: tuple[Record, ...]

    @property
    def entries(self) -> tuple[str, ...]:
        return tuple(sorted({record.entry for record in self.records}))

    @property
    def usual_level(self) -> float:
        """The level that is shown where one has to be chosen: 1e-3, or without it the one in the middle."""
        return 1e-3 if 1e-3 in self.levels else self.levels[len(self.levels) // 2]


def read(folder: str | os.PathLike[str]) -> League:
    """Reads the folder that `lagnet league run` wrote, or one that has its tables alone. Raises InputError with
    everything that is wrong in it.

    >>> import tempfile
    >>> from lagnet.league import drawn, records
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     drawn.write(folder, problems=2, profiles=1)
    ...     league = records.read(folder)
    >>> league.problems, league.records[0].name, league.records[0].runs[0].costs[0.1]["bytes"]
    (('problem_1', 'problem_2'), 'problem_1/network_1/entry_1.tuned', ...)
    """
    from . import from_tables  # which needs what is here

    place = pathlib.Path(folder)
    if from_tables.is_alone(place):
        return from_tables.read(place)
    document, faults = _document(place / LIST)
    if not faults:
        faults = list(faults_of_list(document))
    if faults:
        raise InputError(told(place / LIST, faults))
    league = of_documents(document, ())
    found, wrong = [], []
    for path in sorted((place / "records").rglob("*.json")):
        record, faults = _document(path)
        faults = faults or list(faults_of_record(record, league, path.relative_to(place / "records")))
        if faults:
            wrong.append(told(path, faults))
        else:
            found.append(record)
    if wrong:
        raise InputError("\n".join(wrong[:MOST_SHOWN]) + (f"\nand {len(wrong) - MOST_SHOWN} more files"
                                                          if len(wrong) > MOST_SHOWN else ""))
    if not found:
        raise InputError(f"{place / 'records'}: expected records, found none; `lagnet league run` writes them")
    return of_documents(document, found)


def of_documents(document: Document, found: Iterable[Document]) -> League:
    """The league of files that are in order: that of league.json, and those of records."""
    problems, profiles = tuple(document["problems"]), tuple(document["profiles"])

    def order(record: Record) -> tuple[int, int, str, int]:
        return (problems.index(record.problem), profiles.index(record.profile), record.entry,
                VARIANTS.index(record.variant))

    return League(document["league"], document["suite"], problems, profiles, tuple(document["seeds"]),
                  tuple(map(float, document["levels"])), document, tuple(sorted(map(_record_of, found), key=order)))


def told(path: pathlib.Path, faults: list[str]) -> str:
    """The first faults of a file, a line for each."""
    more = [f"and {len(faults) - MOST_SHOWN} more"] if len(faults) > MOST_SHOWN else []
    return "\n".join(f"{path}: {fault}" for fault in faults[:MOST_SHOWN] + more)


def _document(path: pathlib.Path) -> tuple[Document, list[str]]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}, ["expected the file, found none"]
    except (OSError, ValueError) as error:
        return {}, [f"expected JSON, found none: {error}"]
    return (found, []) if isinstance(found, dict) else ({}, [f"expected an object, found {found!r:.60}"])


def _is(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _is_cost(value: Any) -> bool:
    return (_is(value, int) or _is(value, float)) and math.isfinite(value) and value >= 0


def _keys(found: Document, needed: Mapping[str, type], at: str = "") -> Iterator[str]:
    for key, kind in needed.items():
        if key not in found:
            yield f"{at}/{key}: expected {_CALLED[kind]}, found none"
        elif not _is(found[key], kind):
            yield f"{at}/{key}: expected {_CALLED[kind]}, found {found[key]!r:.60}"


def faults_of_list(found: Document) -> Iterator[str]:
    """What is wrong with the document of league.json."""
    faults = list(_keys(found, _LEAGUE))
    yield from faults
    if faults:
        return
    for key, kind, called in (("problems", str, "names"), ("profiles", str, "names"), ("seeds", int, "integers")):
        values = found[key]
        if not values or not all(_is(value, kind) for value in values) or len(set(values)) < len(values):
            yield f"/{key}: expected distinct {called}, found {values!r:.100}"
    levels = found["levels"]
    if not levels or not all(_is_cost(one) and one > 0 for one in levels) or sorted(set(levels))[::-1] != levels:
        yield f"/levels: expected numbers above 0 that fall, found {levels!r:.100}"


def faults_of_record(found: Document, league: League, path: pathlib.PurePath | None = None) -> Iterator[str]:
    """What is wrong with the document of a record. path: its file's, below records/."""
    faults = list(_keys(found, _RECORD))
    yield from faults
    if faults:
        return
    if found["league"] != league.number:
        yield f"/league: expected {league.number}, as {LIST} has it, found {found['league']}"
    for key, known in (("problem", league.problems), ("profile", league.profiles), ("variant", VARIANTS),
                       ("status", ("ran", "refused"))):
        if found[key] not in known:
            yield f"/{key}: expected one of {', '.join(known)}, found {found[key]!r:.60}"
    named = pathlib.PurePath(found["problem"], found["profile"], f"{found['entry']}.{found['variant']}.json")
    if path is not None and path != named:
        yield f"expected the name {named.as_posix()}, by its problem, profile, entry and variant"
    if not (found.get("tuning") is None or isinstance(found["tuning"], dict)):
        yield f"/tuning: expected an object or null, found {found['tuning']!r:.60}"
    if found["status"] == "refused":
        if not found["reason"]:
            yield "/reason: expected the sentence that refuses it, found none"
        if found["runs"]:
            yield f"/runs: expected none of a cell that is refused, found {len(found['runs'])}"
        return
    seeds = [run.get("seed") if isinstance(run, dict) else None for run in found["runs"]]
    if seeds != list(league.seeds):
        yield f"/runs: expected one of each of the seeds {list(league.seeds)}, found {seeds!r:.100}"
    for number, run in enumerate(found["runs"]):
        yield from _faults_of_run(run, league, f"/runs/{number}")


def _faults_of_run(run: Any, league: League, at: str) -> Iterator[str]:
    if not isinstance(run, dict):
        yield f"{at}: expected an object, found {run!r:.60}"
        return
    faults = list(_keys(run, _RUN, at))
    yield from faults
    if faults:
        return
    if run["status"] not in ENDS:
        yield f"{at}/status: expected one of {', '.join(ENDS)}, found {run['status']!r:.60}"
    error = run.get("relative_error")
    if error is not None and not _is(error, float) and not _is(error, int):
        yield f"{at}/relative_error: expected a number or null, found {error!r:.60}"
    levels = [one.get("level") if isinstance(one, dict) else None for one in run["levels"]]
    if levels != list(league.levels):
        yield f"{at}/levels: expected each of the levels {list(league.levels)}, found {levels!r:.100}"
        return
    before: Mapping[str, Any] = dict.fromkeys(CURRENCIES, 0)
    for number, one in enumerate(run["levels"]):
        here, costs = f"{at}/levels/{number}", {currency: one.get(currency) for currency in CURRENCIES}
        wrong = [currency for currency, cost in costs.items() if cost is not None and not _is_cost(cost)]
        for currency in wrong:
            yield f"{here}/{currency}: expected a number at least 0 or null, found {costs[currency]!r:.60}"
        if wrong:
            return
        missing = [currency for currency, cost in costs.items() if cost is None]
        if missing and len(missing) < len(costs):
            yield f"{here}: expected all costs or none, found null for {', '.join(missing)}"
            return
        for currency, cost in costs.items():
            earlier = before[currency]
            if cost is not None and (earlier is None or cost < earlier):
                yield (f"{here}/{currency}: expected at least the cost of the level before, {earlier}, found {cost}"
                       if earlier is not None else f"{here}/{currency}: expected null after a level that was not "
                       f"reached, found {cost}")
        before = costs
    if run["status"] == "reached" and before["bytes"] is None:
        yield f"{at}/status: expected another one where the last level has no costs, found reached"


def _record_of(found: Document) -> Record:
    runs = tuple(Run(run["seed"], run["status"], run["why"], run["rounds"], run.get("relative_error"),
                     run["trace_hash"],
                     {float(one["level"]): {currency: one[currency] for currency in CURRENCIES}
                      for one in run["levels"]}) for run in found["runs"])
    return Record(found["problem"], found["profile"], found["entry"], found["variant"], found["form"], found["status"],
                  found["reason"], found["scenario"], found.get("tuning"), runs)
