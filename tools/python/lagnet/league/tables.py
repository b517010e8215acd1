"""The tables of a league: runs.csv, levels.csv, league.sqlite, and levels.parquet where pyarrow is installed."""

from __future__ import annotations

import contextlib
import csv
import importlib.util
import io
import itertools
import math
import os
import pathlib
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import InputError
from . import costs
from .from_tables import CELL, LEVELS, RUNS, text_of
from .records import CURRENCIES, League, Record, read

Row = tuple[Any, ...]

MEDIANS = ("problem", "profile", "form", "entry", "kind", "variant", "competes", "level", *CURRENCIES)

_TYPES = {"league": "INTEGER", "seed": "INTEGER", "rounds": "INTEGER", "competes": "INTEGER", "relative_error": "REAL",
          "level": "REAL", "place": "INTEGER", **dict.fromkeys(CURRENCIES, "REAL")}
DATABASE, PAGE_BYTES = "league.sqlite", 4096


def _cell(league: League, record: Record) -> Row:
    return (league.number, record.problem, record.profile, record.form, record.entry, record.variant)


def run_rows(league: League) -> Iterator[Row]:
    """A row for each run, and one without a seed for each refused cell."""
    for record in league.records:
        if record.status == "refused":
            yield (*_cell(league, record), None, "refused", None, None, None, record.reason)
        for run in record.runs:
            yield (*_cell(league, record), run.seed, run.status, run.rounds, run.relative_error, run.trace_hash,
                   run.why)


def level_rows(league: League) -> Iterator[Row]:
    """A row for each run and level, the largest error first."""
    for record in league.records:
        for run in record.runs:
            for level in league.levels:
                yield (*_cell(league, record), run.seed, level, *(run.costs[level][one] for one in CURRENCIES))


def median_rows(league: League) -> Iterator[Row]:
    """A row for each cell and level: the medians over seeds, None where they are infinite. `competes` has 1 for the
    better variant of an entry, which is the tuned one if it has one; 2 for its default options where that is the
    tuned one; 0 for the yardstick of one agent that has all samples."""
    best = {one.name for one in costs.chosen(league, "tuned")}
    for record in league.records:
        competes = 0 if record.form == costs.YARDSTICK else 1 if record.name in best else 2
        for level in league.levels:
            found = [[run.costs[level][one] for run in record.runs] for one in CURRENCIES]
            yield (record.problem, record.profile, record.form, record.entry, record.kind, record.variant, competes,
                   level, *(_median(values) for values in found))


def _median(values: Sequence[float | None]) -> float | None:
    middle = costs.median([math.inf if one is None else float(one) for one in values]) if values else math.inf
    return None if math.isinf(middle) else middle


def _shown(value: Any) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def csv_text(columns: Sequence[str], rows: Iterator[Row]) -> str:
    """The table as CSV; numbers have the shortest text that reads back, what is missing none.

    >>> csv_text(("entry", "bytes"), iter([("dgd, tuned", 1e-7), ("extra", None)]))
    'entry,bytes\\n"dgd, tuned",1e-07\\nextra,\\n'
    """
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_shown(value) for value in row] for row in rows)
    return made.getvalue()


def _table(base: sqlite3.Connection, name: str, columns: Sequence[str], rows: Iterator[Row]) -> None:
    declared = ", ".join(f"{column} {_TYPES.get(column, 'TEXT')}" for column in columns)
    base.execute(f"CREATE TABLE {name} ({declared})")
    base.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", rows)


def fill(base: sqlite3.Connection, league: League) -> None:
    """Puts the tables into an empty database: `runs` and `levels` as in CSV, `cells` with the medians over seeds, and
    `problems` and `profiles` with the places of the names in the suite."""
    _table(base, "problems", ("place", "problem"), iter(enumerate(league.problems)))
    _table(base, "profiles", ("place", "profile"), iter(enumerate(league.profiles)))
    _table(base, "runs", RUNS, run_rows(league))
    _table(base, "levels", LEVELS, level_rows(league))
    _table(base, "cells", MEDIANS, median_rows(league))
    base.commit()


def database(league: League) -> sqlite3.Connection:
    """The database in memory.

    >>> from lagnet.league import drawn
    >>> database(drawn.league(problems=1)).execute("SELECT COUNT(*) FROM problems").fetchone()
    (1,)
    """
    base = sqlite3.connect(":memory:")
    fill(base, league)
    return base


def write_database(league: League, path: pathlib.Path) -> None:
    """Writes the file anew: by the same SQLite, the same bytes for the same records."""
    scratch = path.with_name(path.name + ".new")
    scratch.unlink(missing_ok=True)
    try:
        with contextlib.closing(sqlite3.connect(scratch)) as base:
            base.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            base.execute("PRAGMA auto_vacuum = NONE")
            base.execute("PRAGMA encoding = 'UTF-8'")
            base.execute("PRAGMA journal_mode = MEMORY")
            fill(base, league)
        os.replace(scratch, path)
    finally:
        scratch.unlink(missing_ok=True)


def _write(path: pathlib.Path, text: str) -> None:
    scratch = path.with_name(path.name + ".new")
    scratch.write_bytes(text.encode())
    os.replace(scratch, path)


def write(folder: str | os.PathLike[str], of: League | None = None) -> list[pathlib.Path]:
    """Writes all tables and findings.md of a league's folder into it, or those of another league; gives their files.

    >>> import tempfile
    >>> from lagnet.league import drawn
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     drawn.write(folder)
    ...     [path.name for path in write(folder)[:3]]
    ['runs.csv', 'levels.csv', 'league.sqlite']
    """
    league = read(folder) if of is None else of
    place = pathlib.Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    made = []
    for name, text in texts(league).items():
        made.append(place / name)
        _write(made[-1], text)
    made.insert(2, place / DATABASE)
    write_database(league, made[2])
    if importlib.util.find_spec("pyarrow"):
        made.append(place / "levels.parquet")
        _write_parquet(league, made[-1])
    return made


def texts(league: League) -> dict[str, str]:
    """The tables that are texts, and findings.md, by the names of their files."""
    from .findings import findings, text

    return {"runs.csv": csv_text(RUNS, run_rows(league)), "levels.csv": csv_text(LEVELS, level_rows(league)),
            "findings.md": text(findings(league))}


def disagreements(folder: str | os.PathLike[str]) -> list[str]:
    """Where the tables in a folder differ from its records, a sentence for each file; [] of a folder without tables.
    Records that cannot be used are told instead.

    >>> import tempfile
    >>> from lagnet.league import drawn
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     drawn.write(folder)
    ...     write(folder)[0].write_text("league,problem\\n") and disagreements(folder)
    ['runs.csv: line 1: expected league,problem,profile,..., found league,problem']
    """
    place = pathlib.Path(folder)
    try:
        league = read(folder)
    except InputError as error:
        return str(error).splitlines()
    found = []
    for name, right in texts(league).items():
        told = text_of(place, name)
        if told is not None:
            found += _first_difference(name, told, right)
    if (place / DATABASE).is_file():
        found += _differing_tables(place / DATABASE, league)
    return found


def rows_apart(found: League, right: League) -> Iterator[str]:
    """Where the rows of one league differ from those of another, field by field as texts.

    >>> from lagnet.league import drawn
    >>> list(rows_apart(drawn.league(seed=1), drawn.league(seed=1)))
    []
    """
    for name, columns, rows_of in (("runs.csv", RUNS, run_rows), ("levels.csv", LEVELS, level_rows)):
        places = [column for column in ("seed", "level") if column in columns]
        for row, wanted in itertools.zip_longest(rows_of(found), rows_of(right)):
            there = dict(zip(columns, map(_shown, row or wanted or ())))
            where = f"{name}: {', '.join(f'{place} {there[place]}' for place in places if there[place]) or 'refused'}"
            if row is None or wanted is None:
                yield f"{where}: expected {'no row' if wanted is None else 'a row'}, found {'one' if row else 'none'}"
                continue
            for column, one, other in zip(columns, map(_shown, row), map(_shown, wanted)):
                if one != other:
                    yield f"{where}: {column}: expected {other or 'nothing'}, found {one or 'nothing'}"


def _first_difference(name: str, told: str, right: str) -> list[str]:
    for number, (one, wanted) in enumerate(itertools.zip_longest(told.splitlines(), right.splitlines()), 1):
        if one != wanted:
            one, wanted = ("no line" if line is None else line for line in (one, wanted))
            return [f"{name}: line {number}: expected {wanted:.200}, found {one:.200}"]
    return []


def _differing_tables(path: pathlib.Path, league: League) -> list[str]:
    found = []
    with contextlib.closing(database(league)) as right, \
            contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as told:
        for (name,) in right.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall():
            wanted = right.execute(f"SELECT * FROM {name} ORDER BY rowid").fetchall()
            try:
                rows = told.execute(f"SELECT * FROM {name} ORDER BY rowid").fetchall()
            except sqlite3.DatabaseError as error:
                found.append(f"{path.name}: expected the table {name}, found none: {error}")
                continue
            for number, (row, other) in enumerate(itertools.zip_longest(rows, wanted), 1):
                if row != other:
                    found.append(f"{path.name}: {name}: row {number}: expected {other}, found {row}")
                    break
    return found


def _write_parquet(league: League, path: pathlib.Path) -> None:
    import pyarrow
    import pyarrow.parquet

    columns = list(zip(*level_rows(league))) or [()] * len(LEVELS)
    types = {"INTEGER": pyarrow.int64(), "REAL": pyarrow.float64()}
    arrays = [pyarrow.array(list(values), type=types.get(_TYPES.get(name, ""), pyarrow.string()))
              for name, values in zip(LEVELS, columns)]
    pyarrow.parquet.write_table(pyarrow.table(arrays, names=list(LEVELS)), path)
