"""A league of which there are only runs.csv and levels.csv, as scenarios/league/small keeps it: its records, without
the values that tuning found. The league's files say what its entries are."""

from __future__ import annotations

import csv
import io
import json
import lzma
import os
import pathlib
from typing import Any

from ..errors import InputError
from . import records, suite
from .cells import scenario_of
from .records import CURRENCIES, LIST, Document, League

CELL = ("league", "problem", "profile", "form", "entry", "variant")
RUNS = (*CELL, "seed", "status", "rounds", "relative_error", "trace_hash", "reason")
LEVELS = (*CELL, "seed", "level", *CURRENCIES)
NUMBERS = ("league", "seed", "rounds", "relative_error", "level", *CURRENCIES)


def text_of(folder: str | os.PathLike[str], name: str) -> str | None:
    """The text of a table, which may be compressed (NAME.xz); None without the file."""
    plain = pathlib.Path(folder) / name
    packed = plain.with_name(f"{name}.xz")
    if plain.is_file():
        return plain.read_text(encoding="utf-8", errors="replace")
    if not packed.is_file():
        return None
    try:
        return lzma.decompress(packed.read_bytes()).decode(errors="replace")
    except lzma.LZMAError as error:
        raise InputError(f"{packed}: expected a compressed table, found none: {error}") from None


def is_alone(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder has tables, and no records that they were made of."""
    return not (pathlib.Path(folder) / LIST).is_file() and text_of(folder, "runs.csv") is not None


def _value(column: str, text: str) -> Any:
    """What a field holds: of a number that is missing None, and of one that is none its text, which the checks of
    records refuse."""
    if column not in NUMBERS:
        return text
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text


def _rows(folder: pathlib.Path, name: str, columns: tuple[str, ...]) -> list[Document]:
    text = text_of(folder, name)
    if text is None:
        raise InputError(f"{folder / name}: expected the file, found none")
    rows = list(csv.reader(io.StringIO(text)))
    head = rows.pop(0) if rows else []
    if tuple(head) != columns:
        raise InputError(f"{folder / name}: line 1: expected {','.join(columns)}, found {','.join(head):.200}")
    for number, row in enumerate(rows, 2):
        if len(row) != len(columns):
            raise InputError(f"{folder / name}: line {number}: expected {len(columns)} fields, found {len(row)}")
    return [{column: _value(column, field) for column, field in zip(columns, row)} for row in rows]


def _found(rows: list[Document], column: str) -> list[Any]:
    """The values of a column, each once."""
    return list(dict.fromkeys(row[column] for row in rows if row[column] is not None))


def _list_of(runs: list[Document], levels: list[Document], files: pathlib.Path | None) -> tuple[Document, suite.Suite]:
    """What league.json would say, and the league's files: of the small league if the seeds and problems are its."""
    document = {"league": runs[0]["league"] if runs else None, **{f"{one}s": _found(runs, one)
                for one in ("problem", "profile", "seed")}, "levels": _found(levels, "level"), "build": {}}
    for size in suite.SIZES:
        league = suite.load(files, size)
        if league.seeds == document["seeds"] and set(document["problems"]) <= set(league.problems):
            break
    for key, known in (("problems", league.problems), ("profiles", league.profiles)):
        if set(document[key]) <= set(known):  # tables of a part of the league
            document[key] = list(known)
    return {**document, "suite": league.size}, league


def read(folder: str | os.PathLike[str], files: pathlib.Path | None = None) -> League:
    """Reads the tables. files: the folder of the league's files, by default the one that comes with lagnet.

    >>> import lagnet
    >>> league = read(lagnet.scenarios() / "league" / "small")
    >>> league.suite, league.seeds, league.records[0].name
    ('small', (1, 2), 'ridge/data_center/a_dispa.tuned')
    """
    place = pathlib.Path(folder)
    runs, levels = _rows(place, "runs.csv", RUNS), _rows(place, "levels.csv", LEVELS)
    document, league = _list_of(runs, levels, files)
    costs: dict[tuple[Any, ...], list[Document]] = {}
    for row in levels:
        costs.setdefault(tuple(row[one] for one in (*CELL, "seed")), []).append(
            {one: row[one] for one in ("level", *CURRENCIES)})
    found: dict[tuple[Any, ...], Document] = {}
    for row in runs:
        cell = tuple(row[one] for one in CELL)
        entry, is_refused = league.entries.get(row["entry"]), row["status"] == "refused"
        known = entry and row["problem"] in league.problems and row["profile"] in league.profiles
        record = found.setdefault(cell, {
            **dict(zip(CELL, cell)), "status": "refused" if is_refused else "ran",
            "reason": row["reason"] if is_refused else "", "runs": [],
            "scenario": scenario_of(league, entry, row["problem"], row["profile"]) if entry and known else {}})
        if not is_refused:
            record["runs"].append({**{one: row[one] for one in RUNS[len(CELL):-1]}, "why": row["reason"],
                                   "levels": costs.get((*cell, row["seed"]), [])})
    return _checked(place / "runs.csv", document, list(found.values()))


def _checked(path: pathlib.Path, document: Document, found: list[Document]) -> League:
    faults = list(records.faults_of_list(document))
    if not faults:
        empty = records.of_documents(document, ())
        faults = [f"{one['problem']}/{one['profile']}/{one['entry']}.{one['variant']}: {fault}"
                  for one in found for fault in records.faults_of_record(one, empty)]
    if faults:
        raise InputError(records.told(path, faults))
    return records.of_documents(document, found)
