"""One number of a run, by its name: what a search of the worst compares."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from ...documents import get
from ...errors import InputError
from ...results import Result

FIRST = re.compile(r"first:(\w+)=(\S+)")


def seconds_to(rows: Sequence[dict[str, Any]], column: str, level: float) -> float:
    """The simulated time of the row from which on the column is at most `level`; infinite if it does not stay there.

    >>> rows = [{"simulated_s": t, "relative_error": e} for t, e in ((0, 1), (1, 0.1), (2, 0.3), (3, 0.1))]
    >>> seconds_to(rows, "relative_error", 0.2)
    3.0
    """
    reached = math.inf
    for row in reversed(rows):
        value = row.get(column)
        if value is None or not value <= level:
            break
        reached = float(row["simulated_s"])
    return reached


def value_of(run: Result, measure: str) -> float:
    """A column of the last row of progress.csv, one of the totals, a pointer into summary.json such as
    /stop/ended_s, or first:relative_error=1e-3, the seconds to a level."""
    rows = run.rows()
    last: dict[str, Any] = rows[-1] if rows else {}  # a run may end before its first row
    if found := FIRST.fullmatch(measure):
        level = _number(found[2])
        if not math.isfinite(level):
            raise InputError(f"expected a number after {found[1]}=, found {found[2]}")
        if found[1] not in last:
            raise _unknown(found[1], last)
        return seconds_to(rows, found[1], level)
    summary = run.summary
    value = get(summary, measure) if measure.startswith("/") else last.get(measure, summary["totals"].get(measure))
    if measure.startswith("/") or measure in last or measure in summary["totals"]:
        if value is None:
            return math.nan
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value)
    raise _unknown(measure, {**last, **summary["totals"]})


def _number(text: str) -> float:
    """The number that a text is; not a number where it is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _unknown(name: str, there: dict[str, Any]) -> InputError:
    return InputError(f"expected a number of the run, found {name}: there are {', '.join(there)}")
