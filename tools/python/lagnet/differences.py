"""How tables and documents differ within stated tolerances: by column the number of rows, the first of them, and both
values."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from .documents import child
from .errors import InputError

# Reals may differ between compilers and machines by rounding, which a few hundred rounds of a stable method do not
# amplify beyond this. Goldens of scenarios have the same.
USUAL = 1e-9


@dataclasses.dataclass(frozen=True)
class Tolerance:
    """Numbers are the same if they differ by at most `absolute`, or by at most `relative` times the larger of them."""

    relative: float = USUAL
    absolute: float = 0.0

    def __post_init__(self) -> None:
        for name in ("relative", "absolute"):
            value = getattr(self, name)
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not is_number or not 0 <= value < math.inf:
                raise InputError(f"{name}: expected a tolerance of at least 0, found {value!r}")

    def are_same(self, want: Any, got: Any) -> bool:
        """Of two numbers that are not both integers; anything else, integers among it, is the same or not."""
        numbers = [one for one in (want, got) if isinstance(one, (int, float)) and not isinstance(one, bool)]
        if len(numbers) < 2 or not any(isinstance(one, float) for one in numbers):
            return type(want) is type(got) and bool(want == got)
        if math.isnan(want) or math.isnan(got):
            return math.isnan(want) and math.isnan(got)
        return math.isclose(want, got, rel_tol=self.relative, abs_tol=self.absolute)


@dataclasses.dataclass(frozen=True)
class Tolerances:
    """One for all columns, and others for some by their names. An integer column that has one of its own is compared
    by it, too."""

    usual: Tolerance = Tolerance()
    by_name: Mapping[str, Tolerance] = dataclasses.field(default_factory=dict)

    def are_same(self, name: str, want: Any, got: Any, is_real: bool = False) -> bool:
        """is_real: integers are values of a column that has others, too."""
        own = self.by_name.get(name)
        if own is None and not is_real:
            return self.usual.are_same(want, got)
        return (own or self.usual).are_same(_real(want), _real(got))


def _real(value: Any) -> Any:
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


@dataclasses.dataclass(frozen=True)
class Table:
    """Columns by their names, and rows with a cell for each."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]]) -> Table:
        columns = list(rows[0]) if rows else []
        return cls(columns, [[row[name] for name in columns] for row in rows])


def shown(value: Any) -> str:
    return "nothing" if value is None else repr(value)


def in_table(want: Table, got: Table, tolerances: Tolerances = Tolerances()) -> list[dict[str, Any]]:
    """By the columns that `want` has, wherever they are in `got`: a column that it does not have is new."""
    found: list[dict[str, Any]] = []
    if len(want.rows) != len(got.rows):
        found.append({"code": "row_count", "expected": str(len(want.rows)), "found": str(len(got.rows))})
    for place, name in enumerate(want.columns):
        if name not in got.columns:
            found.append({"code": "gone", "where": name})
            continue
        at = got.columns.index(name)
        pairs = [(one[place], other[at]) for one, other in zip(want.rows, got.rows)]
        is_real = any(isinstance(one, float) for pair in pairs for one in pair)
        differing = [row for row, (one, other) in enumerate(pairs)
                     if not tolerances.are_same(name, one, other, is_real)]
        if differing:
            first = differing[0]
            label = _label(got, first, name)
            found.append({"code": "column", "where": name, "rows": len(pairs), "differing": len(differing),
                          "row": first + 1, **({"of": label} if label else {}), "expected": shown(pairs[first][0]),
                          "found": shown(pairs[first][1])})
    return found


def _label(table: Table, row: int, name: str) -> str:
    """What a reader finds the row by: "round 3" or "point 002"."""
    for key in ("round", "point"):
        if key in table.columns and key != name:
            return f"{key} {table.rows[row][table.columns.index(key)]}"
    return ""


def in_document(want: Any, got: Any, tolerances: Tolerances = Tolerances(), ignored: Collection[str] = (),
                pointer: str = "") -> Iterator[dict[str, Any]]:
    """By JSON pointers. ignored: keys, wherever they are, whose values may differ and that one side may lack."""
    if isinstance(want, dict) and isinstance(got, dict):
        for key in [*want, *(one for one in got if one not in want)]:
            where = child(pointer, str(key))
            if key in ignored:
                continue
            if key not in got:
                yield {"code": "gone", "where": where}
            elif key not in want:
                yield {"code": "new", "where": where}
            else:
                yield from in_document(want[key], got[key], tolerances, ignored, where)
    elif isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        for place, (one, other) in enumerate(zip(want, got)):
            yield from in_document(one, other, tolerances, ignored, f"{pointer}/{place}")
    elif not tolerances.are_same(pointer, want, got):
        yield {"code": "value", "where": pointer, "expected": shown(want), "found": shown(got)}


def sentence(parts: Mapping[str, Any]) -> str:
    """What a difference says, in the words of `lagnet check`."""
    where = f"{parts['file']}: " if "file" in parts else ""
    name = parts.get("where", "")
    if parts["code"] == "column":
        of = f" ({parts['of']})" if "of" in parts else ""
        return (f"{where}{name}: {parts['differing']} of {parts['rows']} rows differ, first row {parts['row']}{of}: "
                f"expected {parts['expected']}, found {parts['found']}")
    said = {"gone": f"{name}: gone", "new": f"{name}: not expected", "missing": "missing",
            "bytes": "other bytes"}.get(parts["code"])
    if said is None:
        name = "rows" if parts["code"] == "row_count" else name
        said = (f"{name}: " if name else "") + f"expected {parts['expected']}, found {parts['found']}"
    return where + said
