"""Searches for the worst world within ranges of numbers."""

from __future__ import annotations

import copy
import dataclasses
import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ..documents import swept
from ..errors import InputError, Problem, ScenarioError
from .hunting.base import check_budget, plain_scenario
from .hunting.children import Children, children
from .hunting.draw import Draw
from .hunting.facts import Facts
from .hunting.ranges import Range, place_of, ranges_of, value_at
from .hunting.trees import Document, replaced
from .hunting.trial import Trial
from .hunting.world import World

RUNS = 200  # by default
NEAR = 1e-4  # of places from 0 to 1 between the ends of ranges, at which the method of Nelder and Mead stops


@dataclasses.dataclass(frozen=True)
class Worst:
    """value: of the measure. values: of the keys, by their pointers. document: the scenario with them. runs: how many
    it took. drawn: the best value of the draws, before Nelder and Mead's method went on."""

    value: float
    values: dict[str, Any]
    document: Document
    runs: int
    drawn: float


def worst(scenario: Any, measure: str, within: Mapping[str, Any], *, smallest: bool = False, runs: int | None = None,
          seconds: float | None = None, set: Mapping[str, Any] | None = None, seed: int = 1, jobs: int = 1) -> Worst:
    """The largest value of a measure within ranges, or the smallest: half of the runs are draws, the others go on from
    the best one by the method of Nelder and Mead (scipy.optimize).

    measure: a column of progress.csv in its last row, a total, a pointer into summary.json, or
    first:relative_error=1e-3, the seconds to a level. within: [low, high] of keys, or lists of values.

    >>> import lagnet
    >>> from lagnet.testing import worst
    >>> found = worst(lagnet.example("gossip"), "simulated_s", {"network.latency_ms": [1, 50]}, runs=12,
    ...               set={"stop.rounds": 5})
    >>> found.values
    {'/network/latency_ms': 50}
    """
    try:
        from scipy import optimize
    except ImportError:
        raise InputError("a search of the worst needs the Python package scipy, which was not found") from None
    base = plain_scenario(scenario, set)
    check_budget(runs, seconds, jobs, seed)
    if swept(base):
        raise InputError("expected a scenario without a sweep, since a measure is of one run, found one")
    ranges = ranges_of(within, base)
    if idle := [Problem(one.pointer, "[low, high], or a list of values", "null") for one in ranges
                if not one.is_numeric and not one.values]:
        raise ScenarioError(idle, "within")
    if not any(one.is_numeric for one in ranges):
        raise ScenarioError([Problem("", "[low, high] of a key, between which values are searched", "none")], "within")
    limit = RUNS if runs is None and seconds is None else runs or 10 ** 9
    begun = time.monotonic()
    with children(jobs) as pool:
        search = _Search(base, measure, -1 if smallest else 1, ranges, pool)
        drawn = 0
        while drawn == 0 or (drawn < (limit + 1) // 2
                             and (seconds is None or time.monotonic() < begun + seconds / 2)):
            count = min(16, (limit + 1) // 2 - drawn)
            search.take([_drawn(base, ranges, Draw(seed, drawn + k)) for k in range(count)])
            drawn += count
        best = search.best()
        search.descend(optimize.minimize, limit - drawn, None if seconds is None else begun + seconds)
        found = search.best()
        return Worst(found[0], found[1], search.document(found[1]), search.runs, best[0])


def _drawn(base: Document, ranges: Sequence[Range], draw: Draw) -> dict[str, Any]:
    world = World(copy.deepcopy(base), Facts(), draw)
    for one in ranges:
        one.draw(world)
    return {one.pointer: world.get(one.pointer) for one in ranges}


class _Search:
    def __init__(self, base: Document, measure: str, sign: int, ranges: Sequence[Range], pool: Children) -> None:
        self._base, self._measure, self._sign, self._ranges, self._pool = base, measure, sign, ranges, pool
        self._found: list[tuple[float, dict[str, Any]]] = []
        self._why_none, self.runs = "", 0

    def document(self, values: Mapping[str, Any]) -> Document:
        made = self._base
        for pointer, value in values.items():
            made = replaced(made, pointer, value)
        return made

    def take(self, points: Sequence[dict[str, Any]]) -> list[float]:
        """Runs these points; gives their values, to be made small, infinite where there is none."""
        outcomes = self._pool.run([Trial(self.document(one), measure=self._measure) for one in points])
        costs = []
        for values, outcome in zip(points, outcomes):
            self.runs += 1
            self._why_none = self._why_none or outcome.refused or "; ".join(one.sentence for one in outcome.failures)
            value = math.nan if outcome.value is None else float(outcome.value)
            if not math.isnan(value):
                self._found.append((value, values))
            costs.append(math.inf if math.isnan(value) else -self._sign * value)
        return costs

    def best(self) -> tuple[float, dict[str, Any]]:
        """The first of the best points."""
        if not self._found:
            raise InputError(self._why_none or f"{self._measure}: no run within these ranges has it")
        return max(self._found, key=lambda one: self._sign * one[0])

    def descend(self, minimize: Any, runs: int, until: float | None) -> None:
        """Nelder and Mead's method on the numbers, each as its place between the ends of its range."""
        value, start = self.best()
        numbers = [one for one in self._ranges if one.is_numeric]
        if runs < 1 or not math.isfinite(value):
            return

        def cost(places: Sequence[float]) -> float:
            if self.runs - before >= runs or (until is not None and time.monotonic() > until):
                raise StopIteration
            values = {one.pointer: value_at(one, place) for one, place in zip(numbers, places)}
            return self.take([{**start, **values}])[0]

        before = self.runs
        try:
            minimize(cost, [place_of(one, start[one.pointer]) for one in numbers], method="Nelder-Mead",
                     bounds=[(0, 1)] * len(numbers), options={"xatol": NEAR, "fatol": 0, "maxfev": runs})
        except StopIteration:
            pass
