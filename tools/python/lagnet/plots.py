"""Curves of runs by matplotlib."""

from __future__ import annotations

import bisect
import difflib
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import names
from .documents import pointer_of
from .errors import InputError

if TYPE_CHECKING:
    from .results import Result

Curve = tuple[list[float], list[float], bool]  # x, y, whether the run ended since it reached its tolerance
WORDS = {"simulated_s": "simulated time (s)", "bytes": "bytes sent", "messages": "messages sent"}


def plot(results: Any, x: str = "simulated_s", y: str = "relative_error", ax: Any = None,
         where: Mapping[str, Any] | None = None) -> Any:
    """Draws a column of progress.csv against another one with matplotlib, a curve for each series: runs that differ in
    their seeds alone. Of several runs it is the median of the last values recorded by then, and a band from the least
    to the largest. As in figure() and compare(), a run that reached its tolerance keeps its last value until the last
    run has ended; any other end is the end of the curve. Gives the axes.

    results: a Result, Results, a folder, or several of them. x, y: names of columns; y is on a log scale where it is an
    error or a gap, or is above 0 throughout and its largest value ten times the least or more. ax: axes to draw in,
    beside what is there. where: only runs with these values, {"topology.kind": "ring"}, or with one of several,
    {"topology.agents": [4, 16]}. The names of curves are the values in which the drawn curves differ.

    >>> import lagnet, matplotlib
    >>> matplotlib.use("agg")
    >>> runs = lagnet.sweep(lagnet.example("gossip"), {"network.latency_ms": [1, 50]}, algorithm=["extra", "dgd"],
    ...                     set={"stop.rounds": 5})
    >>> ax = lagnet.plot(runs, y="objective", where={"algorithm.kind": "dgd"})
    >>> [line.get_label() for line in ax.lines]
    ['latency_ms=1', 'latency_ms=50']
    """
    runs = _chosen(results, where or {})
    series: dict[str, list[Curve]] = {}
    for run, label in zip(runs, _labels(runs)):
        series.setdefault(label, []).append(_curve(run, x, y))
    if not any(places for curves in series.values() for places, _, _ in curves):
        told = (runs[0].summary.get("optimum") or {}).get("why") if "error" in y or "gap" in y else None
        raise InputError(f"plot: expected a row with {x} and {y}, found none" + (f": {told}" if told else ""))
    import matplotlib.pyplot

    if ax is None:
        ax = matplotlib.pyplot.figure().add_subplot()
    for label, curves in series.items():
        places, middle, least, largest = _band(curves)
        line = ax.plot(places, middle, label=label, drawstyle="steps-post" if len(curves) > 1 else "default")[0]
        if len(curves) > 1:
            ax.fill_between(places, least, largest, step="post", alpha=0.2, color=line.get_color(), linewidth=0)
    if _suits_log(y, series):
        ax.set_yscale("log")
    ax.set_xlabel(_called(x))
    ax.set_ylabel(_called(y))
    if len(ax.get_legend_handles_labels()[1]) > 1:
        ax.legend()
    return ax


def _chosen(results: Any, where: Mapping[str, Any]) -> list[Result]:
    """The runs that are drawn: those with these values, but for points of a sweep that could not run."""
    from .results import read

    given = [read(one) if isinstance(one, (str, pathlib.PurePath)) else one
             for one in (results if isinstance(results, (list, tuple)) else [results])]
    runs = [run for one in given for run in getattr(one, "runs", [one]) if not run.error]
    if not runs:
        raise InputError("plot: expected runs, found none" + (" that could run" if given else ""))
    for key, wanted in where.items():
        several = wanted if isinstance(wanted, (list, tuple, range)) else [wanted]
        there = [_value(run.scenario, pointer_of(key)) for run in runs]
        kept = [run for run, value in zip(runs, there) if any(value == one for one in several)]
        if not kept:
            values = ", ".join(sorted({repr(value) for value in there}))
            raise InputError(f"plot: where: expected a run in which {pointer_of(key)} is {wanted!r}, found "
                             f"{values:.200}")
        runs = kept
    return runs


def _value(scenario: Any, pointer: str) -> Any:
    """The value at a JSON pointer; None if there is none."""
    for part in pointer.split("/")[1:]:
        if isinstance(scenario, list) and part.isdigit() and int(part) < len(scenario):
            scenario = scenario[int(part)]
        else:
            scenario = scenario.get(part) if isinstance(scenario, Mapping) else None
    return scenario


def _labels(runs: Sequence[Result]) -> list[str]:
    """What each is called beside the others; a series that is alone as in its sweep."""
    given = [str(run.values.get("label") or run.scenario.get("label") or "") for run in runs]
    found = names.series_names([run.scenario for run in runs], given)
    return found if len(set(found)) > 1 else [runs[0].label] * len(runs)


def _curve(run: Result, x: str, y: str) -> Curve:
    rows = run.rows()
    for name in (x, y):
        if rows and name not in rows[0]:
            near = difflib.get_close_matches(name, rows[0], 1)
            raise InputError(f"plot: expected a column of progress.csv, found {name!r}" +
                             (f"; did you mean {near[0]}?" if near else f": it has {', '.join(rows[0])}"))
    rows = [row for row in rows if row[x] is not None and row[y] is not None]
    is_done = (run.summary.get("stop") or {}).get("reason") in ("relative_error", "metric")
    return [row[x] for row in rows], [row[y] for row in rows], is_done


def _band(curves: Sequence[Curve]) -> tuple[list[float], list[float], list[float], list[float]]:
    """Places, and the median, least and largest value of all curves at each; the rule is that of values_of_all() in
    scenarios/compare/tables/curve.hpp."""
    curves = [curve for curve in curves if curve[0]]
    if not curves:
        return [], [], [], []
    begin = max(places[0] for places, _, _ in curves)
    end = min((places[-1] for places, _, is_done in curves if not is_done),
              default=max(places[-1] for places, _, _ in curves))
    places = sorted({place for one, _, _ in curves for place in one if begin <= place <= end})
    middle, least, largest = [], [], []
    for place in places:
        values = sorted(values[bisect.bisect_right(own, place) - 1] for own, values, _ in curves)
        half = len(values) // 2
        middle.append(values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2)
        least.append(values[0])
        largest.append(values[-1])
    return places, middle, least, largest


def _suits_log(y: str, series: Mapping[str, Iterable[Curve]]) -> bool:
    if "error" in y or "gap" in y:
        return True
    values = [value for curves in series.values() for _, own, _ in curves for value in own]
    return min(values) > 0 and max(values) >= 10 * min(values)


def _called(column: str) -> str:
    unit = " (s)" if column.endswith("_s") else ""
    return WORDS.get(column, column.removesuffix("_s").replace("_", " ") + unit)
