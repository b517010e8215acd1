"""Searches along one key of a scenario: the smallest value that fails, and the value at which the order of the points
of a sweep turns round."""

from __future__ import annotations

import dataclasses
import itertools
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..documents import get, pointer_of, swept
from ..errors import InputError, Problem, ScenarioError
from .hunting.base import check_budget, plain_scenario
from .hunting.children import Children, children
from .hunting.draw import rounded
from .hunting.ranges import Range, ranges_of, value_at
from .hunting.trees import Document, replaced
from .hunting.trial import Trial

GRID = 17  # values at which a search looks first
NEAR = 1e-3  # how near, as a share, the two ends of an answer are
NEAR_OF_RANGE = 1e-12  # and as a share of a range that has 0


@dataclasses.dataclass(frozen=True)
class Edge:
    """value: the smallest that fails, or the largest, to 0.1 %. holds_at: the nearest one beyond it that does not; None
    if the whole range fails. sentence: how it fails. value is None if nothing fails."""

    value: float | None
    holds_at: float | None
    sentence: str
    document: Document | None
    runs: int


def smallest(scenario: Any, key: str, within: Mapping[str, Any], *, largest: bool = False,
             set: Mapping[str, Any] | None = None, jobs: int = 1) -> Edge:
    """The smallest value of a key within its range at which the scenario fails: a claim, a deadlock, a divergence. It
    looks at a grid of values first, and then between the first one that fails and the one before. Values that
    no run takes do not fail. largest: the largest one instead.

    >>> import lagnet
    >>> from lagnet.testing import smallest
    >>> claim = {"kind": "bound", "statement": "it takes at most 50 s", "metric": "simulated_s", "at_most": 50}
    >>> found = smallest(lagnet.example("gossip"), "network.latency_ms", {"network.latency_ms": [1, 1000]},
    ...                  set={"expect": [claim], "stop.rounds": 10})
    >>> round(found.value), round(found.holds_at)
    (45, 45)
    """
    base, pointer = plain_scenario(scenario, set), pointer_of(key)
    check_budget(None, None, jobs, 0)
    one = _range_of(base, pointer, within)
    with children(jobs) as pool:
        search = _Bisection(pool, lambda value: Trial(replaced(base, pointer, value)))
        grid = _grid(one)
        places = grid[::-1] if largest else grid
        outcomes = search.run(places, is_strict=False)
        if all(outcome.refused for outcome in outcomes):
            raise InputError(outcomes[0].refused)
        failing = [bool(outcome.failures) for outcome in outcomes]
        if True not in failing:
            return Edge(None, None, "", None, search.runs)
        first = failing.index(True)
        bad, good = places[first], places[first - 1] if first else None
        while good is not None and not _is_near(good, bad, one):
            middle = _between(good, bad, one)
            if search.run([middle], is_strict=False)[0].failures:
                bad = middle
            else:
                good = middle
        sentence = search.run([bad])[0].failures[0].sentence
        return Edge(bad, good, sentence, replaced(base, pointer, bad), search.runs)


@dataclasses.dataclass(frozen=True)
class Turn:
    """value: of the key at which the order turns. below, above: who is first on each side, by the values of the sweep.
    seconds: the time to the level there."""

    value: float
    below: dict[str, Any]
    above: dict[str, Any]
    seconds: float


def turning(scenario: Any, key: str, within: Mapping[str, Any] | None = None, *, to: float | None = None,
            set: Mapping[str, Any] | None = None, jobs: int = 1) -> tuple[list[Turn], float]:
    """The values of a key at which another point of the scenario's sweep becomes the first to a level of
    relative_error, and the level.

    within: the range of the key; by default from a hundredth to a hundred times the scenario's value. to: the level; by
    default stop.relative_error, or the smallest power of ten that every point reaches."""
    base, pointer = plain_scenario(scenario, set), pointer_of(key)
    check_budget(None, None, jobs, 0)
    if to is not None and not 0 < to < math.inf:
        raise InputError(f"to: expected a number above 0, found {to!r}")
    if pointer in (base.get("sweep") or {}):
        del base["sweep"][pointer]
    if not swept(base):
        raise InputError("turning: expected a scenario with a sweep, whose points are ranked, found none")
    one = _range_of(base, pointer, within)
    with children(jobs) as pool:
        level = to if to is not None else get(base, "/stop/relative_error")
        grid = _grid(one)
        if level is None:
            least = _Bisection(pool, lambda value: Trial(replaced(base, pointer, value), level=1.0)).run(grid)
            level = _level(max(row[2] for found in least for row in _rows(found)))
        search = _Bisection(pool, lambda value: Trial(replaced(base, pointer, value), level=level))
        ranked = [_ranking(found) for found in search.run(grid)]
        if all(seconds == math.inf for one in ranked for seconds in one.values()):
            raise InputError(f"to: expected a level of relative_error that a run comes to, found {level:g}")
        turns = []
        for (low, before), (high, after) in itertools.pairwise(zip(grid, ranked)):
            first, second = min(before, key=before.__getitem__), min(after, key=after.__getitem__)
            if first == second or math.inf in (before[first], after[second]):
                continue
            while not _is_near(low, high, one):
                middle = _between(low, high, one)
                found = _ranking(search.run([middle])[0])
                low, high = (middle, high) if found[first] <= found[second] else (low, middle)
            there = _ranking(search.run([high])[0])
            turns.append(Turn(rounded(math.sqrt(low * high) if low > 0 else (low + high) / 2, 6), dict(first),
                              dict(second), there[second]))
        return turns, level


def _level(error: float) -> float:
    """The smallest power of ten from this error on, the largest that a run ends with."""
    if not 0 < error < math.inf:
        raise InputError("to: expected a level of relative_error, since a run ends "
                         + ("with the optimum itself" if error == 0 else "without one") + ", found none")
    return float(10.0 ** math.ceil(math.log10(error)))


class _Bisection:
    """Runs of one key's values."""

    def __init__(self, pool: Children, trial: Callable[[float], Trial]) -> None:
        self._pool, self._trial, self.runs = pool, trial, 0

    def run(self, values: Sequence[float], is_strict: bool = True) -> list[Any]:
        """What came of each value; InputError if one is refused and it is strict."""
        found = self._pool.run([self._trial(value) for value in values])
        self.runs += len(values)
        refused = next((one.refused for one in found if one.refused), "")
        if refused and is_strict:
            raise InputError(refused)
        return found


def _rows(outcome: Any) -> list[tuple[dict[str, Any], float, float]]:
    if outcome.value is None:
        raise InputError("; ".join(one.sentence for one in outcome.failures))
    rows: list[tuple[dict[str, Any], float, float]] = outcome.value
    return rows


def _ranking(outcome: Any) -> dict[tuple[tuple[str, Any], ...], float]:
    """The median over seeds of the seconds to the level, for each of the other points."""
    found: dict[tuple[tuple[str, Any], ...], list[float]] = {}
    for values, seconds, _ in _rows(outcome):
        found.setdefault(tuple(values.items()), []).append(seconds)
    return {name: statistics.median(seconds) for name, seconds in found.items()}


def _range_of(base: Document, pointer: str, within: Mapping[str, Any] | None) -> Range:
    """The range of the key that is searched, the only one that `within` may have."""
    ranges = ranges_of(within, base)
    if others := [one.pointer for one in ranges if one.pointer != pointer]:
        raise ScenarioError([Problem(other, f"the range of {pointer} alone, along which is searched", "another key")
                             for other in others], "within")
    one = ranges[0] if ranges else None
    if one is not None and one.is_numeric:
        return one
    value = get(base, pointer)
    if one is None and isinstance(value, (int, float)) and value > 0:
        return ranges_of({pointer: [0.01 * value, 100 * value]}, base)[0]
    raise ScenarioError([Problem(pointer, "[low, high], between which values are searched",
                                 "none" if one is None else "other values")], "within")


def _grid(one: Range) -> list[float]:
    found = [value_at(one, k / (GRID - 1)) for k in range(GRID)]
    return [value for k, value in enumerate(found) if value not in found[:k]]


def _is_near(a: float, b: float, one: Range) -> bool:
    if one.is_integer:
        return abs(a - b) <= 1
    assert one.low is not None and one.high is not None
    # Where the range has 0, a share of the value may be as small as no run shows.
    least = NEAR_OF_RANGE * (one.high - one.low) if one.low <= 0 <= one.high else 0.0
    return abs(a - b) <= max(least, NEAR * max(abs(a), abs(b)))


def _between(a: float, b: float, one: Range) -> float:
    if one.is_integer:
        return (int(a) + int(b)) // 2
    return math.sqrt(a * b) if min(a, b) > 0 else (a + b) / 2
