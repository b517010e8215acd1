"""Medians over seeds from progress.csv, as scenarios/compare/tables/curve.hpp defines them, without its code."""

import csv
import json
import math
import statistics


class Run:
    """What a run recorded of a metric over an axis."""

    def __init__(self, folder, axis, metric):
        with open(folder / "progress.csv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row[metric]]
        self.points = [(float(row[axis]), float(row[metric])) for row in rows]
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        self.is_done = summary["stop"]["reason"] in ("relative_error", "metric")

    def at(self, x):
        """None where it has no value."""
        if x > self.points[-1][0]:
            return self.points[-1][1] if self.is_done else None
        return next((value for at, value in reversed(self.points) if at <= x), None)

    def cost(self, level):
        """In the first row from which on all are at the level or below."""
        return arrival(self.points, level)[2]


def arrival(points, level):
    """(touched, before, there): in the first row at the level, in the last row above it, and in the row after that."""
    touched = next((x for x, value in points if value <= level), math.inf)
    above = max((k for k, (_, value) in enumerate(points) if not value <= level), default=-1)
    if above + 1 == len(points):
        return touched, math.inf, math.inf
    return touched, points[max(above, 0)][0], points[above + 1][0]


def curve(runs, x):
    """The median at x; None where a run has no value, or no run goes on."""
    values = [run.at(x) for run in runs]
    if None in values or all(x > run.points[-1][0] for run in runs):
        return None
    return statistics.median(values)


def cost(runs, level):
    """The median of the costs of a level; None if it is infinite."""
    median = statistics.median(run.cost(level) for run in runs)
    return None if math.isinf(median) else median
