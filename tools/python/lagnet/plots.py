"""Curves of runs by matplotlib."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .results import Result

Curve = tuple[list[float], list[float]]


def plot(results: Sequence[Any], x: str = "simulated_s", y: str = "relative_error", ax: Any = None) -> Any:
    """Draws a curve for each series: runs that have one label, which differ in their seeds alone. Of several runs it is
    the median of the last values recorded by then, and a band from the least to the largest; it ends where one of the
    runs does. A y that falls to errors is on a log scale."""
    import matplotlib.pyplot

    if ax is None:
        ax = matplotlib.pyplot.figure().add_subplot()
    series: dict[str, list[Curve]] = {}
    for one in results:
        for run in getattr(one, "runs", None) or [one]:
            if not run.error:
                series.setdefault(run.label, []).append(_curve(run, x, y))
    for label, curves in series.items():
        places, middle, least, largest = _band(curves)
        line = ax.plot(places, middle, label=label, drawstyle="steps-post" if len(curves) > 1 else "default")[0]
        if len(curves) > 1:
            ax.fill_between(places, least, largest, step="post", alpha=0.2, color=line.get_color(), linewidth=0)
    if "error" in y or "gap" in y:
        ax.set_yscale("log")
    ax.set_xlabel({"simulated_s": "simulated time (s)"}.get(x, x.replace("_", " ")))
    ax.set_ylabel(y.replace("_", " "))
    if len(series) > 1:
        ax.legend()
    return ax


def _curve(run: Result, x: str, y: str) -> Curve:
    rows = [row for row in run.rows() if row[x] is not None and row[y] is not None]
    return [row[x] for row in rows], [row[y] for row in rows]


def _band(curves: Sequence[Curve]) -> tuple[list[float], list[float], list[float], list[float]]:
    """Places, and the median, least and largest value of all curves at each."""
    curves = [curve for curve in curves if curve[0]]
    if not curves:
        return [], [], [], []
    begin, end = max(places[0] for places, _ in curves), min(places[-1] for places, _ in curves)
    places = sorted({place for one, _ in curves for place in one if begin <= place <= end})
    middle, least, largest = [], [], []
    for place in places:
        values = sorted(values[bisect.bisect_right(own, place) - 1] for own, values in curves)
        half = len(values) // 2
        middle.append(values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2)
        least.append(values[0])
        largest.append(values[-1])
    return places, middle, least, largest
