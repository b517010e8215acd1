"""Goldens of anything that has named columns: a run, a sweep, a data frame, a file of CSV. A golden is a file that
states the columns that it compares, the tolerances, and the values.

    {
     "relative_tolerance": 1e-09,
     "absolute_tolerance": 0.0,
     "tolerances": {"objective": {"relative": 1e-06, "absolute": 0.0}},
     "columns": ["round", "objective"],
     "rows": [
      [0, 2.5],
      [1, 2.25]
     ]
    }

Integers and texts are compared exactly unless their column has a tolerance of its own.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

from .. import differences, places, results, tables
from ..differences import Table, Tolerance, Tolerances
from ..errors import InputError

VARIABLE = "LAGNET_UPDATE_GOLDENS"  # of the environment; "1" writes goldens instead of comparing
KEYS = ("relative_tolerance", "absolute_tolerance", "tolerances", "columns", "rows")


class GoldenDiffers(AssertionError):
    """A result differs from its golden. `differences` has what differs, in parts; the text says it."""

    def __init__(self, path: pathlib.Path, found: list[dict[str, Any]], renew: str) -> None:
        self.differences = found
        lines = [f"DIFFERS  {path}", *(f"      {differences.sentence(one)}" for one in found),
                 f"      if this is intended: {renew}"]
        super().__init__("\n".join(lines))


@dataclasses.dataclass(frozen=True)
class _Golden:
    table: Table
    tolerances: Tolerances

    def text(self) -> str:
        """With a row a line, so that a version control shows which rows have changed."""
        usual = self.tolerances.usual
        own = {name: dataclasses.asdict(one) for name, one in sorted(self.tolerances.by_name.items())}
        head = [f'"relative_tolerance": {json.dumps(usual.relative)}',
                f'"absolute_tolerance": {json.dumps(usual.absolute)}', f'"tolerances": {json.dumps(own)}',
                f'"columns": {json.dumps(list(self.table.columns))}']
        rows = ",\n".join(f"  {json.dumps(list(row))}" for row in self.table.rows)
        return "{\n " + ",\n ".join([*head, f'"rows": [\n{rows}\n ]']) + "\n}\n"


def golden(what: Any, path: str | os.PathLike[str], *, columns: Sequence[str] | None = None, rtol: float | None = None,
           atol: float | None = None, tolerances: Mapping[str, float | Mapping[str, float]] | None = None,
           update: bool | None = None, renew: str = "") -> None:
    """Compares the columns of a result with those of a golden file; raises GoldenDiffers, an AssertionError, which
    names each column with the number of rows that differ, the first of them, both values, and how the golden is
    renewed.

    what: a Result or Results, a folder of either, a data frame, a file of CSV, a mapping of names to columns, or rows
      as dictionaries
    columns: which columns are compared; by default those of the golden, in a new one all
    rtol, atol: of all columns, by default 1e-9 and 0; tolerances: of some, {"objective": 1e-6} for a relative one, or
      {"objective": {"relative": 1e-6, "absolute": 1e-12}}. The golden states them; others here are a difference
    update: writes the golden; by default if the environment has LAGNET_UPDATE_GOLDENS=1
    renew: the command that the message gives, by default by that variable

    >>> import lagnet, pathlib, tempfile
    >>> from lagnet.testing.golden import golden
    >>> result = lagnet.run(lagnet.example("gossip"), set={"stop.rounds": 3})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "gossip.golden.json"
    ...     golden(result, file, columns=["round", "objective"], rtol=1e-6, update=True)
    ...     golden(result, file)
    ...     try:
    ...         golden({"round": [0, 1, 2, 3], "objective": [1.0, 1.0, 1.0, 1.0]}, file)
    ...     except AssertionError as error:
    ...         print(str(error).splitlines()[1].split(": expected")[0].strip())
    objective: 4 of 4 rows differ, first row 1 (round 0)
    """
    file = pathlib.Path(path)
    stated = _stated(rtol, atol, tolerances)
    now = table_of(what)
    renews = os.environ.get(VARIABLE) == "1" if update is None else update
    how = renew or f"run this again with {VARIABLE}=1 in the environment"
    known = _read(file) if file.exists() else None
    if renews:
        table = _chosen(now, columns if columns is not None else known.table.columns if known else None, file)
        kept = known.tolerances if known else Tolerances()
        made = _Golden(table, stated if stated is not None else kept)
        _check_names(made, file)
        places.write_text(file, made.text())
        return
    if known is None:
        raise GoldenDiffers(file, [{"code": "missing", "file": file.name}], how)
    found = [{"code": "value", "where": name, "expected": str(want), "found": str(got)}
             for name, want, got in _statements(known, columns, stated) if want != got]
    found += differences.in_table(known.table, now, known.tolerances)
    if found:
        raise GoldenDiffers(file, found, how)


def table_of(what: Any) -> Table:
    """The columns and rows of what golden() takes; empty cells are None."""
    if isinstance(what, (str, os.PathLike)):
        path = pathlib.Path(what)
        if path.is_file():
            return Table.of(tables.rows(path))
        what = results.read(path)
    if isinstance(what, results.Result):
        return Table.of(what.rows())
    if isinstance(what, results.Results):
        return Table.of(tables.rows(what.folder / "sweep.csv"))
    if hasattr(what, "to_dict") and hasattr(what, "columns"):
        what = {str(name): what[name] for name in what.columns}
    if isinstance(what, Mapping):
        lists = {str(name): [_cell(one) for one in column] for name, column in what.items()}
        if len({len(column) for column in lists.values()}) > 1:
            raise InputError("golden: expected columns of one length, found "
                             + ", ".join(f"{name} with {len(column)}" for name, column in lists.items()))
        return Table(list(lists), [list(row) for row in zip(*lists.values())])
    if isinstance(what, Sequence) and all(isinstance(row, Mapping) for row in what):
        names = list(dict.fromkeys(str(name) for row in what for name in row))
        return Table(names, [[_cell(row.get(name)) for name in names] for row in what])
    raise TypeError("golden: expected results, a data frame, a file of CSV, columns or rows by their names, found "
                    f"{type(what).__name__}")


def _cell(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value  # a number of NumPy
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else value
    return str(value)


def _chosen(table: Table, columns: Sequence[str] | None, file: pathlib.Path) -> Table:
    if columns is None:
        return table
    if missing := [name for name in columns if name not in table.columns]:
        raise InputError(f"{file}: columns: expected some of {', '.join(table.columns)}, found {', '.join(missing)}")
    places = [table.columns.index(name) for name in columns]
    return Table(list(columns), [[row[place] for place in places] for row in table.rows])


def _stated(rtol: float | None, atol: float | None,
            tolerances: Mapping[str, float | Mapping[str, float]] | None) -> Tolerances | None:
    """What the arguments say; None if they say nothing, and the golden is asked."""
    if rtol is None and atol is None and tolerances is None:
        return None
    usual = Tolerance(differences.USUAL if rtol is None else rtol, 0.0 if atol is None else atol)
    return Tolerances(usual, {name: _tolerance(one, f"tolerances: {name}", usual)
                              for name, one in (tolerances or {}).items()})


def _tolerance(value: Any, where: str, usual: Tolerance) -> Tolerance:
    if isinstance(value, Mapping):
        if unknown := set(value) - {"relative", "absolute"}:
            raise InputError(f"{where}: expected relative and absolute, found {', '.join(sorted(map(str, unknown)))}")
        value = {"relative": usual.relative, "absolute": usual.absolute, **value}
    else:
        value = {"relative": value, "absolute": usual.absolute}
    try:
        return Tolerance(**value)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _statements(known: _Golden, columns: Sequence[str] | None,
                stated: Tolerances | None) -> list[tuple[str, Any, Any]]:
    """What the golden and the arguments say about the same thing."""
    said: list[tuple[str, Any, Any]] = []
    if columns is not None:
        said.append(("columns", list(known.table.columns), list(columns)))
    if stated is not None:
        usual = known.tolerances.usual
        said += [("relative_tolerance", usual.relative, stated.usual.relative),
                 ("absolute_tolerance", usual.absolute, stated.usual.absolute)]
        own, other = known.tolerances.by_name, stated.by_name
        said += [(f"tolerances/{name}", own.get(name, "none"), other.get(name, "none"))
                 for name in sorted({*own, *other})]
    return said


def _check_names(made: _Golden, file: pathlib.Path) -> None:
    if unknown := [name for name in made.tolerances.by_name if name not in made.table.columns]:
        raise InputError(f"{file}: tolerances: expected some of the columns {', '.join(made.table.columns)}, found "
                         + ", ".join(unknown))


def _read(file: pathlib.Path) -> _Golden:
    wanted = f"{file}: expected a golden as lagnet.testing.golden writes it"
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{wanted}, found no JSON: {error}") from None
    if not isinstance(document, dict) or not {"columns", "rows"} <= set(document):
        raise InputError(f"{wanted}, found no columns and rows")
    if unknown := set(document) - set(KEYS):
        raise InputError(f"{wanted}, found the key {sorted(unknown)[0]}")
    columns, rows, own = document["columns"], document["rows"], document.get("tolerances", {})
    if (not isinstance(columns, list) or not isinstance(rows, list) or not isinstance(own, dict)
            or any(not isinstance(row, list) or len(row) != len(columns) for row in rows)):
        raise InputError(f"{wanted}, found rows that do not have a cell for each column")
    try:
        usual = Tolerance(document.get("relative_tolerance", differences.USUAL),
                          document.get("absolute_tolerance", 0.0))
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    made = _Golden(Table(columns, rows), Tolerances(usual, {
        name: _tolerance(one, f"{file}: tolerances: {name}", usual) for name, one in own.items()}))
    _check_names(made, file)
    return made
